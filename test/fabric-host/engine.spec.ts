/** The real engine behind the host's `run_code`: what a model reads of a program that is right, wrong, or too much. */
import { expect, it } from 'vitest'
import { eventsOf, newHome, openBed, resultText, scriptProgram, turn } from './bed.ts'

const isBun = process.versions['bun'] !== undefined

async function run(code: string, preset: 'fabric' | 'plain' = 'fabric') {
  const bed = await openBed(newHome(), 'real')
  const agent = await bed.agent(preset)
  scriptProgram(bed, { code, ...(preset === 'plain' ? { description: 'Runs it' } : {}) })
  await turn(agent)
  const dispatched = eventsOf(agent, 'tool/code-dispatch').map(({ data }) => data.name)
  return { bed, agent, text: resultText(agent), dispatched }
}

it('a program of three calls, in TypeScript', async () => {
  const { text, dispatched } = await run(`const sums: number[] = []
for (const b of [3, 4]) sums.push(await tools.add({ a: 2, b }))
return await tools.shout({ text: \`sums \${sums.join(' ')}\` })`)

  expect(text).toContain('SUMS 5 6')
  expect(dispatched).toEqual(['add', 'add', 'shout'])
})

it.each([
  [
    "return await tools.add({ a: 2, b: 'three' })",
    /type check failed: nothing has run[^]*program:2:32[^]*'number'/,
  ],
  [
    'const a = 1\nreturn await tools.subtract({ a })',
    /type check failed[^]*program:3:20[^]*subtract/,
  ],
  ['return await tools.add({ a: 1 })', /type check failed/],
  ["const n: number = await tools.shout({ text: 'x' })\nreturn n", /type check failed/],
])('a wrong program is refused before anything of it ran: %j', async (code, message) => {
  const { text, dispatched } = await run(`await tools.add({ a: 1, b: 1 })\n${code}`)

  expect(text).toMatch(message)
  expect(dispatched).toEqual([])
})

it.each([
  ['await tools.write({ file_path: "a.md", content: `run `npm test` now` })', true],
  ["await tools.edit({ new_string: 'it's' })", true],
  ['await tools.write({ file_path: 1 })', false],
  ['return `it`s`', false],
])('a hint is given where the text of a file broke its program: %j', async (code, isGiven) => {
  const { text } = await run(code)

  expect(text).toContain('type check failed')
  expect(text.includes('A text given to edit or write')).toBe(isGiven)
})

it('describe and call type-check as any tool does, and call is a call of the tool', async () => {
  const { text, dispatched } = await run(`const { typescript } = await tools.describe('add')
const sum = await tools.call({ name: 'add', args: { a: 20, b: 22 } })
return typescript + ' is ' + sum`)

  expect(text).toContain('a: number')
  expect(text).toContain('is 42')
  expect(dispatched).toEqual(['add'])
})

it('a refused call is a ToolCallError that names its tool', async () => {
  const { text } = await run(`try {
  await tools.call({ name: 'sohut', args: { text: 'x' } })
} catch (error) {
  return (error instanceof ToolCallError) + ' ' + (error as ToolCallError).message
}`)

  expect(text).toContain('true no tool is named')
  expect(text).toContain('nearest: shout')
})

it('a program without an end is cancelled with its turn', async () => {
  const bed = await openBed(newHome(), 'real')
  const agent = await bed.agent('fabric')
  scriptProgram(bed, { code: 'await tools.add({ a: 1, b: 1 })\nwhile (true) {}' })

  const turned = turn(agent)
  await expect.poll(() => eventsOf(agent, 'tool/code-dispatch').length, { timeout: 20_000 }).toBe(1)
  agent.cancel({ kind: 'user' })
  await turned

  expect(agent.status).toBe('idle')
  expect(resultText(agent)).toContain('(abort): cancelled by user')
})

it("a program of another preset runs too: on the host's own runtime where that loads", async () => {
  const { text, dispatched } = await run(
    "return await tools.shout({ text: 'agent ' + typeof (globalThis as any).process })",
    'plain',
  )

  expect(dispatched).toEqual(['shout'])
  // the host's runtime is a worker of Node and has a process; the engine has none
  expect(text).toContain(isBun ? 'AGENT UNDEFINED' : 'AGENT OBJECT')
})
