/** Two hosts come to perform one cue: one performance stands, whole, and nothing of the other is written. */
import { describe, expect, test } from 'vitest'
import { beatsOf, room, say } from '../scenes/stage.ts'
import type { Answer, ScriptedRequest } from '../scenes/scripted-adapter.ts'
import { castHost, type Engine, engines, gate, moveAway, newMesh, player } from './two-homes.ts'

const files = room({
  cast: [{ character: 'ann' }, { character: 'bo' }],
  direction: 'manual',
  world: { lamp: { value: 'lit' }, door: { value: 'shut' } },
})

/** Changes one thing, whispers to Bo, then says its words; '' is silence. */
function script(key: string, value: string, words: string) {
  let step = 0
  return ({ actor }: ScriptedRequest): Answer => {
    if (actor !== 'ann') return `I am ${actor}.`
    step += 1
    if (step === 1) return { call: 'world_set', args: { key, value, expected_version: 1 } }
    if (step === 2) return { call: 'whisper', args: { to: ['bo'], text: `Psst, ${value}.` } }
    return words
  }
}

async function twoHosts(engine: Engine, eastSays: string, westSays: string) {
  const mesh = await newMesh(engine)
  const east = await player(files, mesh)
  const west = await castHost(files, mesh)
  east.stage.model.script(script('lamp', 'out', eastSays))
  west.stage.model.script(script('door', 'open', westSays))
  const delegate = async () => {
    const asked = await east.scene.delegate(east.scene.speaker(), { actor: 'ann', route: {} })
    return await asked.outcome
  }
  const written = async () => {
    const beats = (await beatsOf(east.scene)).filter(
      ({ beat }) => beat.author.id === 'character:ann',
    )
    const world = await east.scene.world()
    return {
      kinds: beats.map(({ beat }) => beat.kind),
      texts: beats.map(({ beat }) => beat.text),
      world: Object.fromEntries(world.map(({ key, value }) => [key, value])),
    }
  }
  return { east, west, delegate, written }
}

describe.each(engines)(
  'on %s a host that stalls before it wrote anything, and comes back late',
  (engine) => {
    test.each([
      ['spoken', 'I put it out.', 'I opened it.', ['line', 'whisper']],
      ['silent', '', '', ['world', 'whisper']],
    ])('adds nothing of its own: %s', async (_, eastSays, westSays, kinds) => {
      const { east, west, delegate, written } = await twoHosts(engine, eastSays, westSays)
      // the cue itself stands before anybody has it
      let isClaimed = false
      east.stage.ctx.on('cue/claimed', () => void (isClaimed = true))
      const stalled = gate(east, (key) => isClaimed && /\/(standing|world)\/|beat .*#0/.test(key))
      const lost: string[] = []
      east.stage.ctx.on('cue/lost', ({ cue }) => void lost.push(cue.id))
      const answered = delegate()
      await stalled.reached
      await moveAway(east, 'ann', west)

      const outcome = await answered
      stalled.open()
      await expect.poll(() => lost).toHaveLength(1)

      expect(outcome?.failures).toEqual([])
      expect(await written()).toEqual({
        kinds,
        texts: [westSays, 'Psst, open.'],
        world: { lamp: 'lit', door: 'open' },
      })
      expect(east.scene.isUsable).toBe(true)
      expect(await say(east.scene, 'Go on.')).toMatchObject({ failures: [] })
    })
  },
)

describe.each(engines)('on %s a host that stalls after it wrote down what it plays', (engine) => {
  test.each(['I put it out.', ''])(
    'is finished by the other, who asks no model: %j',
    async (words) => {
      const { east, west, delegate, written } = await twoHosts(engine, words, 'Never said.')
      const stalled = gate(east, (key) => /\/world\/|beat .*#0/.test(key))
      const answered = delegate()
      await stalled.reached
      await moveAway(east, 'ann', west)

      await answered
      stalled.open()
      await west.scene.run.caughtUp()

      expect(west.stage.model.of('ann')).toEqual([])
      expect(await written()).toEqual({
        kinds: [words === '' ? 'world' : 'line', 'whisper'],
        texts: [words, 'Psst, out.'],
        world: { lamp: 'out', door: 'shut' },
      })
    },
  )
})
