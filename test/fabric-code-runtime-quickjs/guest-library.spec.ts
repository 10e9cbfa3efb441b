/** What the check lets through is there when the program runs: each global, each member of it, each clean program. */
import { expect, it, test } from 'vitest'
import { readLibrary } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/library.ts'
import {
  libraryFolder,
  ts,
} from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/typescript.ts'
import { openBed } from './bed.ts'
import { cleanPrograms } from './check-clean.ts'

const { run, valueOf } = openBed()

/** What the programs' tools answer. */
const answers = {
  read: { text: 'one\ntwo', lines: 2 },
  list: [
    { name: 'ale', size: 12 },
    { name: 'bread', size: 1 },
  ],
  write: null,
  search: { hits: [{ line: 1, file: 'ale' }] },
  fetch: { body: { items: [{ title: 'Ale' }] } },
  'my-tool': null,
}

/** Two of them reach into what is not there. */
const OWN_FAULTS = ['data.a.b[0].c', 'tools[name]']

/** Of each global value, its own members and, where it makes instances, theirs: as paths. */
function declaredPaths(): readonly string[] {
  const file = ts.createSourceFile(
    'lib.d.ts',
    readLibrary(libraryFolder),
    ts.ScriptTarget.ESNext,
    true,
  )
  const host: Parameters<typeof ts.createProgram>[2] = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    fileExists: (name) => name === file.fileName,
  }
  const program = ts.createProgram(['lib.d.ts'], { noLib: true, types: [] }, host)
  const checker = program.getTypeChecker()
  const values = checker
    .getSymbolsInScope(file, ts.SymbolFlags.Value)
    .filter(({ declarations }) => declarations?.some((each) => each.getSourceFile() === file))
  return values.flatMap((symbol) => {
    const type = checker.getTypeOfSymbol(symbol)
    const own = type.getProperties().filter(isNamed)
    const made = type.getProperty('prototype')
    const instance = made === undefined ? undefined : checker.getTypeOfSymbol(made)
    const inherited = instance?.getProperties().filter(isNamed) ?? []
    return [
      symbol.name,
      ...own.map(({ name }) => `${symbol.name}.${name}`),
      ...inherited.filter(isMethod).map(({ name }) => `${symbol.name}.prototype.${name}`),
    ]
  })

  function isMethod(symbol: Parameters<typeof checker.getTypeOfSymbol>[0]): boolean {
    return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
  }
}

/** A symbol's name is none that a path can be written with. */
function isNamed({ name }: { readonly name: string }): boolean {
  return !name.startsWith('__@')
}

test('every global that is declared is there, and so is each of its members', async () => {
  const paths = declaredPaths()

  const missing = await valueOf(`const paths = ${JSON.stringify(paths)}
return paths.filter((path) => {
  let holder = globalThis
  for (const step of path.split('.')) {
    if (!(step in Object(holder))) return true
    if (step === 'prototype' || holder === globalThis) holder = holder[step]
  }
  return false
})`)

  expect(paths.length).toBeGreaterThan(500)
  expect(missing).toEqual([])
})

test("a URL and its parameters are one: a change of either is the other's", async () => {
  expect(
    await valueOf(`const url = new URL('https://inn.example/?ale=1&bread=2&ale=3')
const { searchParams } = url
searchParams.append('stew', 'hot & thick')
searchParams.delete('bread')
const appended = url.href
url.search = '?bed=soft'
const replaced = searchParams.getAll('bed').concat(searchParams.getAll('ale'))
searchParams.delete('bed')
return [appended, replaced, url.href, url.searchParams === searchParams, new URL('https://b.example').searchParams.size]`),
  ).toEqual([
    'https://inn.example/?ale=1&ale=3&stew=hot+%26+thick',
    ['soft'],
    'https://inn.example/',
    true,
    0,
  ])
})

it.each(cleanPrograms)('runs: %s', async (program) => {
  const members = new Map(
    Object.entries(answers).map(([name, answer]) => [name, { call: async () => answer }]),
  )
  const errorClass = { name: 'ToolCallError', memberNameProperty: 'toolName' }
  const outcome = await run(program, {
    namespaces: [{ global: 'tools', members, errorClass }],
    constants: { settings: { value: { depth: 3, names: ['mara', 'ivo'] } } },
  })

  const isAtFault = OWN_FAULTS.some((fault) => program.includes(fault))
  const how = outcome.status === 'completed' ? 'completed' : outcome.failure.message
  expect(how).toMatch(isAtFault ? /^TypeError/ : /^completed$/)
})
