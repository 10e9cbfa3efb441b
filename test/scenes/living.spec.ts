/** What a long or a changing life of a scene needs: summaries, edited characters, imported ones. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { boot } from 'dsh-tavern-cli'
import { describe, expect, it } from 'vitest'
import { newHome, openStage, room, say, trio } from './stage.ts'

describe('a long scene', () => {
  it('is summarised by the host within the model’s window, and plays on', async () => {
    const home = newHome()
    const ctx = await boot({ home, contextWindow: 6000, retry: false })
    const purposes: (string | undefined)[] = []
    ctx.on('llm/stream', ({ purpose }, next) => {
      purposes.push(purpose)
      return next()
    })
    const scene = await ctx.scenes.open('ember-night', { limits: { beats: 90 } })

    await scene.auto(90)

    const beats = await scene.run.read(0, 500)
    expect(beats.length).toBeGreaterThanOrEqual(90)
    expect(purposes.filter((purpose) => purpose === 'compaction').length).toBeGreaterThan(0)
    await ctx.fiber.dispose()
  }, 60_000)
})

describe('a character edited while the scene is open', () => {
  it('enters as it is then', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const preset = join(stage.home, 'test', 'presets', 'cy')
    const card = JSON.parse(readFileSync(join(preset, 'card.json'), 'utf8'))
    card.data.description = 'Cy has come back with a limp.'
    writeFileSync(join(preset, 'card.json'), JSON.stringify(card))
    appendFileSync(join(preset, 'agent.cordis.yml'), '# edited\n')
    await scene.enter('cy')

    await say(scene, 'Cy?')

    expect(stage.model.of('cy').at(-1)?.system).toContain('Cy has come back with a limp.')
  })
})

describe('a card with braces in every field', () => {
  it('plays: nothing in it is a host template', async () => {
    const braces = '{{user}} {{ char }} {{random::a::b}} {{unknown}} {{ }} {{{x}}} {{'
    const fields = ['description', 'personality', 'scenario', 'mes_example', 'system_prompt']
    const ann = { name: 'Ann', ...Object.fromEntries(fields.map((field) => [field, braces])) }
    const files = room({ cast: [{ character: 'ann', secrets: [braces] }], world: {} })
    const stage = await openStage({ ...files, characters: { ...trio.characters, ann } })
    const scene = await stage.open('room')

    const outcome = await say(scene, braces)

    expect(outcome).toMatchObject({ status: 'answered', failures: [] })
    expect(stage.model.of('ann')[0]?.system).toContain('Ellis Ann {{random::a::b}} {{unknown}}')
  })
})

describe('a base preset used alone', () => {
  it('plays one character with one person, without any scene', async () => {
    const stage = await openStage(trio)
    const { agent } = await stage.ctx.agents.create({
      sessionId: SessionId('alone'),
      meta: { cwd: stage.home, agentPreset: 'agent-tavern' },
      agentOptions: { provider: 'scripted', model: 'scripted-1' },
      setup: async (agentCtx) => {
        await stage.ctx.agentPresets.mount(agentCtx, 'agent-tavern')
      },
    })
    stage.model.script(({ afterTool }) =>
      afterTool ? 'I cannot look.' : { call: 'world_get', args: { key: 'lamp' } },
    )
    const content = [{ type: 'text' as const, text: 'Look around.' }]
    agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
    await agent.whenIdle()

    const last = stage.model.requests.at(-1)
    expect(last?.system).toContain('You play one character')
    expect(last?.bytes).toContain('works only while you have a cue')
  })
})
