/** The tool from a program of run_code, with the host's own runtime. */
import WorkerThreadRuntime from '@deepseek-ai/dsh-code-runtime-worker-thread'
import { CallId } from '@deepseek-ai/dsh-llm'
import { expect, it } from 'vitest'
import { openHost, shared, textOf } from './host.ts'

async function run(code: string) {
  const host = await openHost({
    tools: { mode: 'code' },
    before: async (ctx) => {
      await ctx.plugin(WorkerThreadRuntime, {})
    },
  })
  const agent = await host.agent('coder')
  const result = await host.ctx.tools.execute({
    signal: new AbortController().signal,
    callId: CallId('program'),
    name: 'run_code',
    arguments: { code, description: 'Coordinates.' },
    agent,
  })
  return { host, agent, result, text: textOf(result) }
}

it('a program calls it twice, and its log says so', async () => {
  const { host, agent, result, text } = await run(`
    await tools.fabric_mesh({ action: 'create_actor', id: 'builder', label: 'Builder' })
    return await tools.fabric_mesh({ action: 'snapshot', limit: 10 })
  `)

  expect(text).toContain('builder')
  expect(result.isError).toBe(false)
  const { mailboxes } = await shared(host)
  const found = await mailboxes.find('builder')
  expect(found).toMatchObject({ by: 'coder', label: 'Builder' })
  const types: readonly string[] = agent.session.events.map(({ type }) => type)
  expect(types.filter((type) => type === 'tool/code-dispatch')).toHaveLength(2)
  expect(types).not.toContain('fabric/activity')
})

it('a program reads the code of a refusal, and what stands there', async () => {
  const { text } = await run(`
    const swap = { action: 'cas_state', key: 'head', expected_version: 0 }
    await tools.fabric_mesh({ ...swap, value: 'mine' })
    try {
      await tools.fabric_mesh({ ...swap, value: 'yours' })
    } catch (error) {
      const { code, current } = JSON.parse(error.message).error
      return 'refused: ' + code + ' at ' + current.version + ' by ' + current.by
    }
  `)

  expect(text).toContain('refused: version-conflict at 1 by coder')
})
