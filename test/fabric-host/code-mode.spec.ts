/** Code mode of a preset with our rows, beside one without, on the real host. */
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import type { CodeFailure } from 'dsh-fabric-code-runtime-quickjs'
import { describe, expect, it } from 'vitest'
import {
  type Bed,
  eventsOf,
  newHome,
  openBed,
  resultText,
  scriptProgram,
  STOCK_WALL_MS,
  turn,
} from './bed.ts'

const threeCalls = {
  code: "const five = await tools.add({ a: 2, b: 3 })\nconst six = await tools.add({ a: five, b: 1 })\nreturn await tools.shout({ text: 'six is ' + six })",
}

describe('a preset with checked programs', () => {
  it('a model completes a task with three calls in one program, and the log says so', async () => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    scriptProgram(bed, threeCalls)

    await turn(agent)

    expect(resultText(agent)).toContain('SIX IS 6')
    expect(eventsOf(agent, 'tool/code-dispatch').map(({ data }) => data.name)).toEqual([
      'add',
      'add',
      'shout',
    ])
    expect(bed.model.requests).toHaveLength(2)
  })

  it('the model is asked for `code` only', async () => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    bed.model.script(() => 'Nothing to do.')

    await turn(agent)

    const [tool, ...others] = agent.session.requestHeader()?.tools ?? []
    expect(others).toEqual([])
    expect(tool).toMatchObject({ name: RUN_CODE_NAME, parameters: { required: ['code'] } })
    expect(tool?.description).not.toContain('two required')
  })

  it('the card, the message and the call in the log have the same title', async () => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    scriptProgram(bed, { code: '// Count the guests\nreturn 4' })

    await turn(agent)

    const [call] = eventsOf(agent, 'tool/call')
    const args: unknown = JSON.parse(call?.data.arguments ?? '')
    expect(args).toMatchObject({ description: 'Count the guests' })
    const card = bed.ctx.tools.get(RUN_CODE_NAME, agent)?.presentCall?.(args)
    expect(card).toMatchObject({ title: 'Count the guests' })
    const [message] = eventsOf(agent, 'assistant/message')
    expect(message?.data.message.content).toMatchObject([{ arguments: call?.data.arguments }])
    const streamed = eventsOf(agent, 'assistant/chunk').map(({ data: { chunk } }) =>
      chunk.type === 'tool-call-delta' ? chunk.argumentsDelta : '',
    )
    expect(streamed.join('')).toBe(call?.data.arguments)
    expect(resultText(agent)).toContain('4')
  })

  it("a description of the model's own wins", async () => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    scriptProgram(bed, { code: '// Count\nreturn 4', description: 'Count the guests of tonight' })

    await turn(agent)

    const [call] = eventsOf(agent, 'tool/call')
    expect(JSON.parse(call?.data.arguments ?? '').description).toBe('Count the guests of tonight')
  })

  it('the engine gets the schemas of what this agent may call, and nothing else', async () => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    scriptProgram(bed, threeCalls)

    await turn(agent)

    const [request] = bed.engine.requests
    const [tools, ...others] = request?.namespaces ?? []
    expect(others).toEqual([])
    expect(tools?.global).toBe('tools')
    expect(tools?.errorClass).toEqual({ name: 'ToolCallError', memberNameProperty: 'toolName' })
    expect([...(tools?.members.keys() ?? [])]).toEqual(['add', 'shout', 'describe', 'call'])
    expect(tools?.members.get('add')?.contract).toMatchObject({
      description: 'Adds two numbers.',
      parameters: { type: 'object', required: ['a', 'b'] },
      output: { type: 'number' },
    })
  })
})

describe('a preset without them, on the same host', () => {
  it("runs on the host's own runtime, and sees what it always saw", async () => {
    const bed = await openBed()
    const agent = await bed.agent('plain')
    scriptProgram(bed, { ...threeCalls, description: 'Add and shout' })

    await turn(agent)

    expect(resultText(agent)).toContain('SIX IS 6')
    expect(bed.engine.requests).toEqual([])
    const [tool] = agent.session.requestHeader()?.tools ?? []
    expect(tool).toMatchObject({ parameters: { required: ['code', 'description'] } })
  })

  it('a call without a description is refused as it always was', async () => {
    const bed = await openBed()
    const agent = await bed.agent('plain')
    scriptProgram(bed, threeCalls)

    await turn(agent)

    expect(resultText(agent)).toContain('description')
    expect(eventsOf(agent, 'tool/code-dispatch')).toEqual([])
  })

  it("has the limits that the user gave the host's row", async () => {
    const bed = await openBed()
    const agent = await bed.agent('plain')
    scriptProgram(bed, { code: 'await new Promise(() => {})', description: 'Wait' })

    await turn(agent)

    expect(resultText(agent)).toContain(`wall-clock ceiling reached (${STOCK_WALL_MS}ms)`)
  })

  it('runs there also while a program of ours waits for it', async () => {
    const bed = await openBed()
    const ours = await bed.agent('fabric')
    const plain = await bed.agent('plain')
    bed.ctx.on('tools/pre-execute', async (exec, next) => {
      if (exec.name === 'shout' && exec.agent === ours) await turn(plain)
      return await next()
    })
    const args = { ...threeCalls, description: 'Add' }
    bed.model.script(({ afterTool }) => (afterTool ? 'Done.' : { call: 'run_code', args }))

    await turn(ours)

    expect(resultText(plain)).toContain('SIX IS 6')
    expect(bed.engine.requests).toHaveLength(1)
  })
})

describe('a failing program', () => {
  it.each<readonly [CodeFailure, string]>([
    [
      { kind: 'check', message: 'program:1:7 no member nope', diagnostics: [] },
      'code run failed (exception): type check failed: program:1:7 no member nope',
    ],
    [
      {
        kind: 'check',
        message: 'Type checking failed; nothing ran.\nprogram:1:7 nope',
        diagnostics: [],
      },
      'code run failed (exception): type check failed: nothing ran.\\nprogram:1:7 nope',
    ],
    [{ kind: 'memory', message: 'over 64 MiB' }, 'code run failed (memory): over 64 MiB'],
    [{ kind: 'timeout', message: 'over 5 s' }, 'code run failed (timeout): over 5 s'],
    [{ kind: 'worker-exit', message: 'gone' }, 'code run failed (worker-exit): gone'],
  ])('of kind $kind is told to the model with its logs', async (failure, text) => {
    const bed = await openBed()
    const agent = await bed.agent('fabric')
    bed.engine.failure = failure
    scriptProgram(bed, threeCalls)

    await turn(agent)

    expect(resultText(agent)).toContain(text)
    expect(resultText(agent)).toContain('so far')
  })
})

async function run(code: string, before?: (bed: Bed) => void) {
  const bed = await openBed()
  const agent = await bed.agent('fabric')
  before?.(bed)
  scriptProgram(bed, { code })
  await turn(agent)
  return { agent, text: resultText(agent) }
}

describe('tools.describe and tools.call', () => {
  it('describe gives the contract that the run itself has', async () => {
    const { text } = await run(`return await tools.describe('add')`)

    for (const part of ['Adds two numbers.', 'a: number', 'Promise<number>', 'parameters']) {
      expect(text).toContain(part)
    }
  })

  it('call is a call of the tool: logged, and denied where a guard denies it', async () => {
    const code = `const sum = await tools.call({ name: 'add', args: { a: 1, b: 2 } })
      const denied = await tools.call({ name: 'shout', args: { text: 'x' } }).catch((e) => e.message)
      return { sum, denied }`

    const { agent, text } = await run(code, ({ ctx }) => {
      ctx.tools.guard(({ name }) => (name === 'shout' ? 'quiet hours' : undefined))
    })

    expect(text).toContain('3')
    expect(text).toContain('quiet hours')
    const dispatched = eventsOf(agent, 'tool/code-dispatch').map(({ data }) => data.name)
    expect(dispatched).toEqual(['add', 'shout'])
  })

  it.each([
    [`return await tools.describe('shuot')`, 'nearest: shout'],
    [`return await tools.call({ name: 'ad', args: {} })`, 'nearest: add'],
    [`return await tools.describe('zzzzzzzzzzzz')`, 'no tool is named'],
    [`return await tools.call({ name: 'run_code', args: {} })`, 'no tool is named'],
    [`return await tools.call('add')`, 'takes { name, args }'],
    [`return await tools.describe()`, "takes a tool's name"],
  ])('%s rejects: %s', async (code, reason) => {
    const { agent, text } = await run(code)

    expect(text).toContain(reason)
    expect(eventsOf(agent, 'tool/code-dispatch')).toEqual([])
  })

  it('they never stand before a tool of that name', async () => {
    const { text } = await run(`return await tools.describe({ text: 'x' })`, ({ ctx }) => {
      const shout = ctx.tools.get('shout')
      if (shout) ctx.tools.register({ ...shout, name: 'describe' })
    })

    expect(text).toContain('X')
  })

  it("a tool that only another preset's agents have is unknown", async () => {
    const bed = await openBed()
    const plain = await bed.agent('plain')
    const ours = await bed.agent('fabric')
    const shout = bed.ctx.tools.get('shout')
    if (!shout) throw new Error('the bed has lost a tool')
    plain.ctx.inject(['tools'], (ctx) => {
      ctx.tools.register({ ...shout, name: 'secret_tool' })
    })
    await turn(plain)
    scriptProgram(bed, { code: `return await tools.describe('secret_tool')` })

    await turn(ours)

    expect(resultText(ours)).toContain('no tool is named')
  })
})

it('the log of a session with titled programs resumes', async () => {
  const first = await openBed()
  const agent = await first.agent('fabric')
  scriptProgram(first, threeCalls)
  await turn(agent)
  await first.ctx.sessions.flush(agent.session)
  await first.close()

  const second = await openBed(first.home)
  const resumed = await second.resume(agent.session.id)
  second.model.script(() => 'As I said: six.')
  await turn(resumed)

  expect(second.model.requests.at(-1)?.bytes).toContain('SIX IS 6')
})

it("without an engine the host's own presets run as they did, and ours says what is missing", async () => {
  const bed = await openBed(newHome(), 'none')
  const agent = await bed.agent('plain')
  scriptProgram(bed, { ...threeCalls, description: 'Add and shout' })

  await turn(agent)

  expect(resultText(agent)).toContain('SIX IS 6')
  await expect(bed.agent('fabric')).rejects.toThrow(/checkedCode/)
})

it('without its row the host has no code runtime, and no run can begin', async () => {
  const bed = await openBed()
  const agent = await bed.agent('fabric')
  scriptProgram(bed, threeCalls)

  await bed.codeRuntime.dispose()
  await turn(agent)

  expect(bed.ctx.get('codeRuntime')).toBeUndefined()
  expect(bed.ctx.get('codeRuns')).toBeUndefined()
  expect(bed.engine.requests).toEqual([])
})
