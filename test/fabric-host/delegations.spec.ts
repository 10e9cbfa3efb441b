/** `/delegate` of a preset for work: a session of its own, and not one request of its parent. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import SandboxPolicy, { setSandboxMode } from '@deepseek-ai/dsh-sandbox-policy'
import { SessionId } from '@deepseek-ai/dsh-session'
import Approval, { setApprovalPolicy } from '@deepseek-ai/dsh-user-approval'
import * as Delegate from 'dsh-fabric-host/delegate'
import { describe, expect, it } from 'vitest'
import { type Bed, command, eventsOf, openBed, turn } from './bed.ts'

/** The one session that was delegated to, once it is idle. */
async function child(bed: Bed): Promise<Agent> {
  const found = bed.ctx.agents.list().filter(({ session }) => session.header.parentSession)
  const [agent] = found
  if (!agent || found.length > 1) throw new Error(`${found.length} delegated sessions`)
  await agent.whenIdle()
  return agent
}

function requestsOf(bed: Bed, { session }: Agent) {
  return bed.model.of(session.id)
}

describe('/delegate', () => {
  it('starts one session with the task, and its parent is asked nothing, then or later', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')

    const result = await command(bed, parent, '/delegate Count the lamps in the hall, twice')

    const delegated = await child(bed)
    await parent.whenIdle()
    expect(result).toMatchObject({ kind: 'success' })
    expect(result.text).toContain('Count the lamps in the hall, twice')
    expect(requestsOf(bed, delegated)).toHaveLength(1)
    expect(requestsOf(bed, delegated)[0]?.newest).toContain('Count the lamps')
    expect(requestsOf(bed, parent)).toEqual([])
    expect(eventsOf(parent, 'turn/start')).toEqual([])
    expect(parent.inbox.hasPending).toBe(false)
  })

  it('the session has a title, its parent, its folder and its preset', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')

    await command(bed, parent, '/delegate Count the lamps in the hall')

    const { session } = await child(bed)
    expect(bed.ctx.sessionTitle.get(session)?.title).toBe('Count the lamps in the hall')
    expect(session.header).toMatchObject({
      parentSession: parent.session.id,
      cwd: bed.home,
      agentPreset: 'fabric',
    })
    expect(session.header.origin).toBeUndefined()
  })

  it('can be continued, and after a restart as well', async () => {
    const first = await openBed()
    const parent = await first.agent('fabric')
    await command(first, parent, '/delegate Count the lamps')
    const delegated = await child(first)
    await turn(delegated, 'And the candles?')
    await first.ctx.sessions.flush(delegated.session)
    await first.close()

    const second = await openBed(first.home)
    const again = await second.resume(delegated.session.id)
    await turn(again, 'And the stars?')

    const { messages } = second.model.requests.at(-1) ?? { messages: [] }
    const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(JSON.stringify(said)).toMatch(/lamps.*candles.*stars/)
    expect(second.ctx.agentPresets.composedPreset(again.ctx)).toBe('fabric')
  })

  it('--report tells the parent how it ended, once', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')
    bed.model.script(({ actor }) => (actor === parent.id ? 'Good.' : 'Seven lamps.'))

    await command(bed, parent, '/delegate --report Count the lamps')
    const delegated = await child(bed)
    await expect.poll(() => requestsOf(bed, parent).length).toBe(1)
    await parent.whenIdle()
    await turn(delegated, 'Again.')

    expect(requestsOf(bed, parent)).toHaveLength(1)
    expect(requestsOf(bed, parent)[0]?.newest).toContain('Seven lamps.')
    expect(requestsOf(bed, parent)[0]?.newest).toContain('Count the lamps')
  })

  it('--fork begins with what was said, and leaves the parent as it was', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')
    await turn(parent, 'The password is heron.')
    const before = parent.session.events.length

    await command(bed, parent, '/delegate --fork Say the password')

    const delegated = await child(bed)
    expect(JSON.stringify(requestsOf(bed, delegated)[0]?.messages)).toContain('heron')
    expect(delegated.session.header.seedLength).toBeGreaterThan(0)
    const added = parent.session.events.slice(before).map(({ type }) => type)
    expect(added).toEqual(['command/run', 'command/done'])
  })

  it('without --fork it knows nothing of what was said', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')
    await turn(parent, 'The password is heron.')

    await command(bed, parent, '/delegate Say the password')

    const delegated = await child(bed)
    expect(requestsOf(bed, delegated)[0]?.bytes).not.toContain('heron')
  })

  it('--provider and --model choose its model; a later choice of a person stands', async () => {
    const bed = await openBed()
    bed.ctx.llm.registerAdapter(['other'], bed.model)
    const parent = await bed.agent('fabric')

    const result = await command(bed, parent, '/delegate --provider other --model big-1 Count')

    const delegated = await child(bed)
    const [asked] = requestsOf(bed, delegated)
    expect(asked).toMatchObject({ provider: 'other', model: 'big-1' })
    expect(result.text).toContain('other/big-1')
    delegated.ctx.on('agent/request', async (_request, next) => {
      return { ...(await next()), provider: 'scripted', model: 'small-1' }
    })
    await turn(delegated)
    expect(requestsOf(bed, delegated)[1]).toMatchObject({ provider: 'scripted', model: 'small-1' })
  })

  it.each([
    ['/delegate', 'nothing to do'],
    ['/delegate --fork', 'nothing to do'],
    ['/delegate --quick Count', "unknown flag '--quick'"],
    [
      '/delegate --provider nobody --model x Count',
      "unknown provider 'nobody' (providers: scripted",
    ],
    ['/delegate --fork Count', 'nothing to fork'],
  ])('%s is refused: %s', async (line, reason) => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')

    const result = await command(bed, parent, line)

    expect(result).toMatchObject({ kind: 'error' })
    expect(result.text).toContain(reason)
    expect(bed.ctx.agents.list()).toEqual([parent])
    expect(bed.model.requests).toEqual([])
  })

  it('a model that the provider does not have is refused with those it has', async () => {
    const bed = await openBed()
    bed.model.listModels = async (provider) => [{ provider, id: 'scripted-1', name: 'Scripted' }]
    const parent = await bed.agent('fabric')

    const result = await command(bed, parent, '/delegate --model scripted-9 Count')

    expect(result.text).toContain("has no model 'scripted-9' (models: scripted-1)")
  })

  it("the preset's command stands before the host's, in that preset only", async () => {
    const bed = await openBed()
    const ours = await bed.agent('fabric')
    const plain = await bed.agent('plain')
    bed.ctx.commands.register({
      name: 'delegate',
      description: 'Of the whole host',
      handler: async () => ({ kind: 'success', text: 'host-wide' }),
    })

    expect(await command(bed, plain, '/delegate x')).toMatchObject({ text: 'host-wide' })
    expect((await command(bed, ours, '/delegate x')).text).toContain('at work')
  })

  it('the session may do what its parent may do now, and no more', async () => {
    const bed = await openBed()
    await bed.ctx.plugin(SandboxPolicy, { mode: 'workspace-write', workspaceRoot: bed.home })
    await bed.ctx.plugin(Approval, { policy: 'ask' })
    const parent = await bed.agent('fabric')
    setSandboxMode(parent.session, 'read-only')
    setApprovalPolicy(parent.session, 'never')

    await command(bed, parent, '/delegate Count')

    const { session } = await child(bed)
    expect(bed.ctx.sandboxPolicy.overrideOf(session)).toBe('read-only')
    expect(bed.ctx.approval.overrideOf(session)).toBe('never')
  })

  it.each(['???', '\u200b', '🐉', '<b>', 'x'.repeat(100_000), '{{user}}', '# a\n\n- b'])(
    'any words are a task: %#',
    async (task) => {
      const bed = await openBed()
      const parent = await bed.agent('fabric')

      const result = await command(bed, parent, `/delegate ${task}`)

      expect(result.kind).toBe('success')
      expect(requestsOf(bed, await child(bed))[0]?.bytes).toContain(
        JSON.stringify(task).slice(1, -1),
      )
    },
  )

  it('is gone with its row, and the host-wide command is back', async () => {
    const bed = await openBed()
    const agent = await bed.agent('plain')
    bed.ctx.commands.register({
      name: 'delegate',
      description: 'Of the whole host',
      handler: async () => ({ kind: 'success', text: 'host-wide' }),
    })
    const row = agent.ctx.plugin(Delegate)
    await row
    expect((await command(bed, agent, '/delegate')).kind).toBe('error')

    await row.dispose()

    expect(await command(bed, agent, '/delegate')).toMatchObject({ text: 'host-wide' })
  })

  it('many at once are many sessions, each with its own task', async () => {
    const bed = await openBed()
    const parent = await bed.agent('fabric')
    const tasks = Array.from({ length: 20 }, (_, n) => `task-${n}-end`)

    await Promise.all(tasks.map((task) => command(bed, parent, `/delegate ${task}`)))

    const delegated = bed.ctx.agents.list().filter(({ id }) => id !== parent.id)
    await Promise.all(delegated.map((agent) => agent.whenIdle()))
    expect(new Set(delegated.map(({ id }) => id)).size).toBe(tasks.length)
    const asked = bed.model.requests.map(({ newest }) => /task-\d+-end/.exec(newest)?.[0])
    expect(asked).toHaveLength(tasks.length)
    expect(new Set(asked)).toEqual(new Set(tasks))
    expect(requestsOf(bed, parent)).toEqual([])
  })

  it('the host closes while a child works, and its log resumes', async () => {
    const first = await openBed()
    const parent = await first.agent('fabric')
    first.model.script(() => ({ hang: 'One, two' }))
    await command(first, parent, '/delegate Count the lamps')
    await expect.poll(() => first.model.requests.length).toBe(1)
    const [working] = first.ctx.agents.list().filter(({ id }) => id !== parent.id)

    await first.close()

    const second = await openBed(first.home)
    const again = await second.resume(SessionId(working?.id ?? ''))
    await turn(again, 'Go on.')
    expect(second.model.requests.at(-1)?.newest).toContain('Go on.')
  })
})
