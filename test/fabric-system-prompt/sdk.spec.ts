/** `tools:sdk` as ours: from the registry's records, checked by the compiler, the same bytes for the same tools. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { renderPrompt } from '@deepseek-ai/dsh-system-prompt'
import { defineTool } from '@deepseek-ai/dsh-tools'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sdkText } from '../../packages/dsh-fabric-system-prompt/src/sdk.ts'
import {
  type ToolRecord,
  toolRecords,
} from '../../packages/dsh-fabric-system-prompt/src/tool-record.ts'
import { fabricRows, openHost, plainRows, sectionsOf } from './host.ts'

const compiler = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')
const mode = (name: string) => fabricRows.replace('mode: code', `mode: ${name}`)

async function sdkOf(rows: string) {
  const host = await openHost({ presets: { fabric: rows } })
  const agent = await host.agent('fabric')
  const sections = await sectionsOf(host, agent)
  return { host, agent, text: sections.find(({ name }) => name === 'tools:sdk')?.text ?? '' }
}

function fenced(text: string): string {
  return /```ts\n([^]*?)\n```/.exec(text)?.[1] ?? ''
}

/** What the compiler says of a program under these declarations. */
function complaints(declared: string, program: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fabric-sdk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'program.ts')
  writeFileSync(file, `${declared}\nasync function program() {\n${program}\n}\nexport {}\n`)
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024', '--types', '']
  try {
    execFileSync(compiler, [...options, file], { encoding: 'utf8' })
    return []
  } catch (error) {
    return String(Object(error)['stdout']).match(/error TS\d+/g) ?? [String(error)]
  }
}

describe('the text of tools:sdk', () => {
  it('has our words around the declarations', () => {
    const key = 'file_path'
    const read = recordOf({ name: 'read', description: 'Read a file.', key })
    const skill = recordOf({ name: 'skill', description: 'Load a skill. Then use it.', key })

    expect(sdkText([read, skill])).toMatchSnapshot()
  })

  it('declares the core tools, and names the others', async () => {
    const { text } = await sdkOf(fabricRows)

    const [declared, roster] = [fenced(text), text.slice(text.lastIndexOf('```'))]
    const members = declared.match(/^ {2}\w+(?=\()/gm)?.map((member) => member.trim())
    expect(members).toEqual([
      'ask_user_question',
      'bash',
      'edit',
      'exit_plan_mode',
      'fabric_mesh',
      'glob',
      'grep',
      'job_kill',
      'job_list',
      'job_output',
      'read',
      'write',
      'describe',
      'call',
    ])
    expect(roster).toContain('- "web_search": Search the web for current information')
    expect(roster).toContain('- "skill": ')
    expect(text).not.toContain('Emit results with')
  })

  it('costs little more than half of what the host would say', async () => {
    const host = await openHost({ presets: { fabric: fabricRows, plain: plainRows } })
    const lengths = await Promise.all(
      ['fabric', 'plain'].map(async (preset) => {
        const sections = await sectionsOf(host, await host.agent(preset))
        return sections.find(({ name }) => name === 'tools:sdk')?.text.length ?? 0
      }),
    )

    expect(lengths[0]).toBeLessThan(0.6 * (lengths[1] ?? 0))
  })

  it('is type-checked: a right program passes, a wrong argument does not', async () => {
    const declared = fenced((await sdkOf(fabricRows)).text)

    const right = `
      const { lines } = await tools.read({ file_path: 'a.ts', limit: 10 })
      const { paths } = await tools.glob({ pattern: '*.ts' })
      const texts: string[] = lines.map(({ text }) => text).concat(paths)
      const { typescript } = await tools.describe('web_search')
      try {
        return await tools.call({ name: 'web_search', args: { queries: texts } })
      } catch (error) {
        return error instanceof ToolCallError ? error.toolName : typescript
      }`
    expect(complaints(declared, right)).toEqual([])
    expect(complaints(declared, `await tools.read({ file_path: 1 })`)).toEqual(['error TS2322'])
    expect(complaints(declared, `await tools.red({})`)).toHaveLength(1)
    expect(complaints(declared, `await tools.call({ args: {} })`)).toHaveLength(1)
  })

  it('is the same in every assembly, and whatever the order of registration', async () => {
    const { host, agent, text } = await sdkOf(fabricRows)
    const other = await host.agent('fabric', 'fabric-2')

    const again = (await sectionsOf(host, agent)).find(({ name }) => name === 'tools:sdk')?.text
    for (const name of ['zinc', 'alum']) agent.ctx.tools.register(toolNamed(name))
    for (const name of ['alum', 'zinc']) other.ctx.tools.register(toolNamed(name))
    const texts = [agent, other].map((each) => sdkText(toolRecords(host.ctx, each)))

    expect(again).toBe(text)
    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toMatch(/- "alum": .*\n[^]*- "zinc": /)
  })

  it('declares every tool where one has the name of the way to the others', async () => {
    const { host, agent } = await sdkOf(fabricRows)
    agent.ctx.tools.register(toolNamed('describe'))

    const text = sdkText(toolRecords(host.ctx, agent))

    expect(text).toMatch(/^ {2}web_search\(/m)
    expect(text.match(/^ {2}describe\(/gm)).toHaveLength(1)
    expect(text).not.toContain('There are more tools')
  })

  it('follows the tools: one that is restricted is gone, one that is added is named', async () => {
    const { host, agent } = await sdkOf(fabricRows)
    agent.ctx.tools.restrict({ deny: ['grep', 'web_search'] })

    const text = (await sectionsOf(host, agent)).find(({ name }) => name === 'tools:sdk')?.text

    expect(text).not.toMatch(/^ {2}grep\(/m)
    expect(text).not.toContain('"web_search"')
    expect(text).toMatch(/^ {2}glob\(/m)
  })

  it('is empty where tools are called natively', async () => {
    expect((await sdkOf(mode('native'))).text).toBe('')
  })

  it('is ours also where both ways are open', async () => {
    expect((await sdkOf(mode('both'))).text).toContain('tools.describe(name)')
  })
})

describe('descriptions and names of any kind', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '*/',
          '/**',
          '```',
          '\n',
          '{{',
          '}}',
          '{{cwd}}',
          '{{{',
          '`',
          '"',
          "'",
          '\\',
          '\u2028',
          'a ',
        ),
      )
      .map((parts) => parts.join('')),
  )
  const record = fc.record({
    name: fc.oneof(fc.constantFrom('read', 'bash'), hostile),
    description: hostile,
    key: hostile,
  })

  it('neither break the declarations nor become a template', () => {
    const texts: string[] = []
    fc.assert(
      fc.property(fc.uniqueArray(record, { selector: ({ name }) => name, maxLength: 6 }), (all) => {
        const text = sdkText(all.map(recordOf))
        const { sections, variables } = { sections: [{ name: 'tools:sdk', text }], variables: {} }
        expect(renderPrompt({ sections, variables, contexts: [], tools: [] })).toBe(text)
        texts.push(fenced(text))
      }),
    )

    const modules = texts.map(
      (text, n) => `namespace Of${n} {\n${text.replaceAll(/^declare /gm, '')}\n}`,
    )
    const parts = modules.map((module) => `declare ${module}`)
    expect(complaints(parts.join('\n'), '')).toEqual([])
  })

  it('leave names alone where there are very many', () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      recordOf({
        name: `tool_${n}`,
        description: 'Does one thing or the other. '.repeat(9),
        key: 'a',
      }),
    )

    const text = sdkText(many)

    expect(text).toContain('"tool_499"')
    expect(text).not.toContain('Does one thing')
  })
})

function toolNamed(name: string) {
  return defineTool({
    name,
    description: `Works as ${name}.`,
    parameters: {},
    output: { schema: { type: 'string' }, render: (_, text) => [{ type: 'text', text }] },
    execute: async () => 'done',
  })
}

function recordOf({
  name,
  description,
  key,
}: {
  name: string
  description: string
  key: string
}): ToolRecord {
  const parameters = {
    type: 'object',
    properties: { [key]: { type: 'string', enum: [description], description } },
    additionalProperties: false,
  }
  return { name, description, parameters, output: { type: 'string' } }
}
