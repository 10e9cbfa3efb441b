/** Blanking: what remains does what TypeScript's own output does, with every character where it was. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eraseTypes } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/erase.ts'
import { findSyntax } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/syntax.ts'
import { ts } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/typescript.ts'

const around = (program: string): string => `(function (log) {\n${program}\n})`
const reading = ts.ScriptTarget.ESNext

function erased(program: string): string {
  const file = ts.createSourceFile('p.ts', around(program), reading, true)
  expect(findSyntax(file, file)).toEqual([])
  return eraseTypes(file)
}

function transpiled(program: string): string {
  const compilerOptions = { target: reading, module: ts.ModuleKind.ESNext, alwaysStrict: false }
  return ts.transpileModule(around(program), { compilerOptions }).outputText
}

/** What a program logs, and what it ends with. */
function outcome(javascript: string): readonly unknown[] {
  const logs: unknown[] = []
  const log = (...values: readonly unknown[]): void => void logs.push(...values)
  try {
    // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the specimen
    logs.push(new Function('log', `return (${javascript.trim().replace(/;$/, '')})(log)`)(log))
  } catch (error) {
    logs.push(error instanceof Error ? error.name : error)
  }
  return logs.map((value) => (typeof value === 'function' ? 'function' : value))
}

const traps: readonly string[] = [
  'const f = (a: number): {\n  b: number\n} => ({ b: a })\nlog(f(1))',
  'const f = async <\n  T\n>(\n  a: T,\n): Promise<\n  T\n> => a\nlog(typeof f(1))',
  'const f = function () { return <\n  T,\n>(a: T): T => a }\nlog(f()(3))',
  'const a = 1 as number\n;[2].forEach((each) => log(each))',
  'const a = { b: 1 } as any\n[1, 2].map((each) => log(each))',
  'let a = 2 as number\n(function () { log("called") })()',
  'let a = log!\n`x`\nlog(typeof a)',
  'const b = 1\ninterface A { b: number }\n(() => log("ran"))()',
  'const b = log\ntype A = number\n[1].forEach((each) => log(each))',
  'let a = 4 as number\n/2/g.test("2")\nlog(a)',
  'let a = 1 satisfies number\n++a\nlog(a)',
  'class A { a = 1 as number\n["b"] = 2 }\nlog(new A())',
  'class A { a = 1\n  readonly ["b"] = 2 }\nlog(new A())',
  'class A { a = 1\n  public *b() { yield 3 } }\nlog([...new A().b()])',
  'class A { get: number\n  foo() { return 1 } }\nlog(Object.keys(new A()), new A().foo())',
  'class A { static: string\n  b = 1 }\nlog(Object.keys(new A()))',
  'class A { set?: number\n  b(c) { return c } }\nlog(new A().b(2))',
  'abstract class A { abstract b: number\n  abstract c(): void\n  d = 1 }\nclass B extends A { b = 2; override c() {} }\nlog(new B())',
  'class A<T> { [key: string]: any\n  declare b: T\n  c!: T\n  protected static d?: number = 4 }\nlog(A["d"], Object.keys(new A()))',
  'class A implements Iterable<number> { *[Symbol.iterator](): Iterator<number> { yield 1 } }\nlog([...new A()])',
  'class A<T> extends Array<T> { constructor(a: T)\n constructor(a: any) { super(a) } }\nlog(new A<string>("x").length)',
  'function f(this: void, a?: number): number { return a ?? 7 }\nlog(f())',
  'function f(this: any) { return 8 }\nlog(f())',
  'function f(a: number): void\nfunction f(a: any) { log(a) }\nf(1)',
  'log\nfunction f(a: string): void\nfunction f(a: any) { log(a) }\nf("x")',
  'function is(a: unknown): a is string { return typeof a === "string" }\nlog(is("a"))',
  'const id = <T,>(a: T) => a\nlog(id<string>("a"), id<Map<string, number[]>>(new Map()).size)',
  'const make = id<string>\nfunction id<T>(a: T): T { return a }\nlog(make("x"))',
  'const m = new Map<string, Set<number>>\nlog(m.size)',
  'const tag = <T,>(a: TemplateStringsArray, ...b: T[]) => a.raw.length + b.length\nlog(tag<number>`a${1}b`)',
  'const o = { a: { b: 1 } } as const satisfies object\nlog(o!.a!.b!, o?.a!.b)',
  'const [a, b = 2]: [number, number?] = [1]\nconst { c, ...d }: any = { c: 1, e: 2 }\nlog(a, b, c, d)',
  'for (const a of [1, 2] as number[]) log(a as any)\nfor (let i: number = 0; i < 1; i++) log(i)',
  'if (true) log(1 as any)\nelse log(2 as any)',
  'do log(1) as any\nwhile (false as boolean)',
  'const f = (a: number) => a as number\n;(b => log(b))(f(3))',
  'const f = (): number => 1 as number\n(1)',
  'try { throw new Error("x") as any } catch (e: unknown) { log((e as Error).message) }',
  'return { a: 1 as number, b: [2 as any, 3!], c(d?: string): string { return d! }, get e(): number { return 1 } }.a as any',
  'throw 5 as any\n(6)',
  'let x: number | undefined, y = 2 as const, z: string\nlog(x, y, z)',
  'const a = 1 < (2 as number) && (3 as any) > 2\nlog(a, (1 as number) + 2 as number)',
  'const s = "\u{1F600}酒" as string // as comment\nlog(s /* : string */ as any)',
  'label: for (;;) { break label }\nlog(typeof (1 as any), void (0 as any), !(0 as any)!)',
  'const f = async (a: number): Promise<void> => { await (null as any) }\nlog(typeof f)',
  'const a = 1 as number ?? 2\nconst b = (1 as number) ** 2\nlog(a, b)',
  'var g = (a: string, /* , */ b?: () => void, ) : a is "x" => true\nlog(g("x"))',
  'class A { private async b<T>(c?: T,): Promise<T | undefined> { return c } static { log(1 as any) } #d?: number; }\nlog(typeof new A()["b"])',
]

describe('types are taken out', () => {
  it.each(traps)('and the program does the same: %s', (program) => {
    const javascript = erased(program)

    expect(outcome(javascript)).toEqual(outcome(transpiled(program)))
    expect(javascript).toHaveLength(around(program).length)
    expect([...javascript.matchAll(/\n/g)].map(({ index }) => index)).toEqual(
      [...around(program).matchAll(/\n/g)].map(({ index }) => index),
    )
  })
})

const types = fc.constantFrom(
  'number',
  'any',
  'string[]',
  '{ a: 1;\n b?: any }',
  '() => void',
  'A.B<C>',
)
const values = fc.constantFrom(
  '1',
  'log',
  '[4, 5]',
  '{ a: 2 }',
  '(x: any): any => x',
  '`t`',
  '"s"',
  'o.a!',
)
const typed = fc
  .tuple(values, fc.constantFrom(' as ', ' satisfies ', '!', ''), types)
  .map(([value, mark, type]) => {
    const isBare = mark === '' || mark === '!'
    const held = isBare ? value : value.startsWith('(') ? `(${value})` : value
    return isBare
      ? mark === '!' && !value.startsWith('(')
        ? `${value}!`
        : value
      : `${held}${mark}${type}`
  })

let names = 0
const statements = fc.oneof(
  fc.tuple(types, typed).map(([type, value]) => `var v${names++ % 9}: ${type} = ${value}`),
  typed.map((value) => `var w${names++ % 9} = ${value}`),
  types.map((type) => `type T${names++} = ${type}`),
  types.map((type) => `interface I${names++} { a: ${type} }`),
  typed.map((value) => `log(${value})`),
  typed.map((value) => `[${value}].forEach((each: any) => log(each))`),
  typed.map((value) => `(function (a?: any): any { log(a) })(${value})`),
  typed.map((value) => `\`x\${${value}}\`.length`),
  fc
    .tuple(types, typed)
    .map(
      ([type, value]) =>
        `class C${names++} { a: ${type}\n static ['b'] = ${value}\n readonly ['c']: ${type}\n *d() {} }`,
    ),
  fc
    .tuple(types, types, typed)
    .map(([a, b, value]) => `var f${names++ % 9} = <T extends ${a}>(a: T): ${b} => ${value}`),
  typed.map((value) => `if (o) (${value})\nelse log(${value})`),
)

it('any typed program does what it does without them', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.array(statements, { minLength: 1, maxLength: 6 }), (lines) => {
      const program = ['var o: any = { a: 3 }', ...lines].join('\n')
      const file = ts.createSourceFile('p.ts', around(program), reading, true)
      const reference = ts.transpileModule(around(program), {
        reportDiagnostics: true,
        compilerOptions: { target: reading, module: ts.ModuleKind.ESNext },
      })
      fc.pre((reference.diagnostics ?? []).length === 0 && findSyntax(file, file).length === 0)
      compared += 1
      expect(outcome(eraseTypes(file))).toEqual(outcome(transpiled(program)))
    }),
    { numRuns: 300 },
  )
  expect(compared).toBeGreaterThan(100)
})
