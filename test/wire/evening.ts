/** One evening at the glass ledger, the same lines whoever answers: said, whispered, a change of world, turns handed over. */
import type { CharacterId, PlacedBeat } from 'dsh-tavern-protocol'
import { runCommand } from 'dsh-tavern-scene'
import { Players, playedBy } from './players.ts'
import { type Exchange, ProviderServer } from './provider-server.ts'
import { type FullRoute, large, outcomeOf, pro, sitDown, small, type Table } from './table.ts'

export type Routes = Readonly<Record<CharacterId, FullRoute>>

export interface Evening {
  readonly table: Table
  readonly server: ProviderServer
  readonly players: Players
  readonly beats: readonly PlacedBeat[]
  /** What the server was asked while one line, or command, was answered. */
  readonly during: Readonly<Record<string, readonly Exchange[]>>
  readonly whispers: { readonly bySeat: string; readonly byCrane: string }
  /** All that was asked of one character, in order. */
  of(character: CharacterId): readonly Exchange[]
  end(): Promise<void>
}

const whispers = {
  bySeat: 'The tide-word is halcyon seven, so keep it close.',
  byCrane: 'Meet me under the kittiwake lamp at four.',
}

/** A model of the other protocol than the character's own. */
export function otherRoute({ provider }: FullRoute): FullRoute {
  return provider === small.provider ? pro : large
}

export async function playEvening(routes: Routes): Promise<Evening> {
  const players = new Players()
  const server = await ProviderServer.start(players.script)
  const table = await sitDown({ baseUrls: server.baseUrls, routes })
  const { scene } = table
  const during: Record<string, readonly Exchange[]> = {}
  const step = async (name: string, act: () => Promise<unknown>) => {
    const before = server.exchanges.length
    await act()
    during[name] = server.exchanges.slice(before)
  }
  const speaker = scene.speaker()
  const say = (id: string, text: string, to?: readonly CharacterId[]) =>
    step(id, () => outcomeOf(scene.submit(speaker, { id, text, ...(to ? { to } : {}) })))
  const command = (id: string, line: string) => step(id, () => runCommand(line, { scene, speaker }))

  await say('rack', 'Lucan, Examiner Roe, which of you was last by the rack?')
  await say('whisper', whispers.bySeat, ['bettany'])
  players.next(
    'Aurelio Crane',
    {
      kind: 'say',
      text: '',
      calls: [
        { name: 'world_set', arguments: { key: 'blame', value: 'the sea', expected_version: 1 } },
        { name: 'whisper', arguments: { to: ['lucan'], text: whispers.byCrane } },
      ],
    },
    { kind: 'say', text: 'I regret it exceedingly; I blame the sea.' },
  )
  await say('blame', 'Mister Crane, whom do you blame?')
  await say('settled', 'Roe, Lucan, Bettany, Crane, all of you: is it settled?')
  for (const character of ['lucan', 'roe']) {
    const { provider, model } = otherRoute(routes[character] ?? small)
    const asked = `Weigh it again, ${character}, by the clock.`
    await command(
      `hand ${character}`,
      `/delegate ${character} --provider ${provider} --model ${model} ${asked}`,
    )
  }
  await say('after', 'Lucan, Roe, Bettany, Crane: and now?')
  await step('auto', () => scene.auto(3))

  const idOf = new Map([...scene.cast.names].map(([id, name]) => [name, id]))
  return {
    table,
    server,
    players,
    during,
    whispers,
    beats: await scene.run.read(0, 500),
    of: (character) =>
      server.exchanges.filter(({ request }) => idOf.get(playedBy(request)) === character),
    end: async () => {
      await table.leave()
      await server.stop()
    },
  }
}
