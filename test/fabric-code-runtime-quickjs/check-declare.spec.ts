/** What is bound, as declarations: the same text for the same bindings, the same words as the model was shown. */
import { describe, expect, it } from 'vitest'
import { Compiler } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/compiler.ts'
import { declare } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/declare.ts'
import { declarations, member, object, tools } from './check-bed.ts'

const compiler = new Compiler()

function kind(value: string) {
  return { type: 'string', const: value }
}

function status(program: string, text: string): string {
  return compiler.check({ program, declarations: text }).status
}

describe('declarations', () => {
  it('are the same whatever the order of what is bound', () => {
    const backwards = new Map([...tools].toReversed())
    const other = { global: 'other', members: new Map([['a', member()]]) }
    const constants = { a: { value: 1 }, b: { value: 2 } }

    const first = declare({ namespaces: [{ global: 'tools', members: tools }, other], constants })
    const second = declare({
      namespaces: [other, { global: 'tools', members: backwards }],
      constants: { b: constants.b, a: constants.a },
    })

    expect(second).toBe(first)
  })

  it.each([
    'Promise',
    'Object',
    'Error',
    'print',
    'globalThis',
    'JSON',
    'Array',
    'Record',
    '$in',
    '__x',
  ])('bind a namespace named %s', (global) => {
    const text = declare({ namespaces: [{ global, members: new Map([['go', member()]]) }] })

    expect(status(`const r: Promise<any> = ${global}.go({ a: [1] })\nreturn r`, text)).toBe('clean')
    expect(status(`return ${global}.stay()`, text)).toBe('refused')
  })

  it('let a program take what one of several answers has, and no more', () => {
    const word = { type: 'string' }
    const output = {
      type: 'array',
      items: {
        oneOf: [
          object(
            { kind: kind('now'), exit: { type: 'integer' }, text: object({ out: word }, ['out']) },
            ['kind', 'exit', 'text'],
          ),
          object({ kind: kind('later'), job: word }, ['kind', 'job']),
          { type: 'null' },
        ],
      },
    }
    const text = declare({
      namespaces: [{ global: 'tools', members: new Map([['run', member({ output })]]) }],
    })
    const over = (program: string) => status(`const [r] = await tools.run()\n${program}`, text)

    expect(over('return r!.text.out.trim() + r!.job')).toBe('clean')
    expect(over("if (r?.kind !== 'now') return r?.job\nreturn r.exit + 1")).toBe('clean')
    expect(over("if (r?.kind === 'now') return r.exit.trim()")).toBe('refused')
    expect(over('return r!.stdout')).toBe('refused')
    expect(over('return r.kind')).toBe('refused')
  })

  it.each(['my-tool', '__proto__', 'constructor', '酒馆', 'a"b', "it's", '\u2028', '', '1', '*/'])(
    'reach a member named %j by quotes',
    (name) => {
      const text = declare({
        namespaces: [{ global: 'tools', members: new Map([[name, member()]]) }],
      })

      expect(status(`return tools[${JSON.stringify(name)}]({ a: 1 })`, text)).toBe('clean')
      expect(status(`return tools[${JSON.stringify(`${name}!`)}]()`, text)).toBe('refused')
    },
  )

  it.each(['Error', 'TypeError', 'Promise', 'Record', 'JsonValue', 'ToolCallError'])(
    'bring an error class named %s that tells its member',
    (name) => {
      const errorClass = { name, memberNameProperty: 'which' }
      const text = declare({
        namespaces: [{ global: 'tools', members: tools, errorClass }],
      })
      const program = `try { await tools.list() } catch (e) { if (e instanceof ${name}) return e.which + e.message }`

      expect(status(program, text)).toBe('clean')
      expect(status(program.replace('e.which', 'e.whose'), text)).toBe('refused')
      expect(status('const { text } = await tools.read({ path: "a" })\nreturn text', text)).toBe(
        'clean',
      )
    },
  )

  it('ask for an argument only where something is required', () => {
    expect(status('await tools.list()\nawait tools.fetch()', declarations)).toBe('clean')
    expect(status('await tools.read()', declarations)).toBe('refused')
  })

  it('take a schema they cannot read as any JSON in, anything out', () => {
    const strange = { anyOf: [{ type: 'string' }, { $ref: '#/x' }] }
    const members = new Map([['odd', member({ parameters: strange, output: strange })]])
    const text = declare({ namespaces: [{ global: 'tools', members }] })

    expect(status('return (await tools.odd({ a: 1 })).b.c.d()', text)).toBe('clean')
    expect(status('await tools.odd(() => 1)', text)).toBe('refused')
  })

  it('keep a description from ending its comment', () => {
    const parameters = object({ a: { type: 'string', description: '*/ } ; declare x /*' } }, ['a'])
    const members = new Map([['odd', member({ description: '*/', parameters })]])
    const text = declare({ namespaces: [{ global: 'tools', members }] })

    expect(status('await tools.odd({ a: "b" })', text)).toBe('clean')
    expect(status('await tools.odd({ a: 1 })', text)).toBe('refused')
  })

  it('give constants the shape of their value, or the type they bring', () => {
    const value = { list: [{ name: 'mara', mood: null }], 'odd key': true }
    const text = declare({
      namespaces: [],
      constants: { world: { value }, mode: { value: 'a', type: '"a" | "b"' } },
    })

    expect(status('return world.list[0].name.length + world["odd key"]', text)).toBe('refused')
    expect(status('return [world.list[0].name.length, world["odd key"]]', text)).toBe('clean')
    expect(status('return mode === "c"', text)).toBe('refused')
    expect(status('world.list[0].name = "x"', text)).toBe('refused')
  })

  it('bind what a prelude declares, and its types', () => {
    const prelude = {
      source: '',
      declarations: 'interface Die { sides: number }\ndeclare function roll(die: Die): number',
    }
    const text = declare({ namespaces: [], prelude })

    expect(status('const die: Die = { sides: 6 }\nreturn roll(die)', text)).toBe('clean')
    expect(status('return roll(6)', text)).toBe('refused')
  })
})
