/** The stock `dsh web` on a mesh that others share, by its profile's rows alone: a character answers from another home. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { machine } from '../hosts/machines.ts'
import { type Nats, startNats } from '../nats/server.ts'
import { openBrowser } from './browser.ts'
import { type DshWeb, linkProfile, newDshHome, startDshWeb } from './dsh-web.ts'
import { SeatView } from './seat-view.ts'

const { home, remove } = newDshHome()
let nats: Nats
let browser: Browser
let host: DshWeb

/** What a person adds to `cordis.patch.yml` of the profile. */
const rows = (server: string) => `
- id: tavern-mesh
  disabled: true
- id: tavern-scene
  config:
    shared: true
    hostName: web
    folder: !!js dshHomePath('tavern')
    roots:
      - !!js dshHomePath('tavern', 'scenes')
      - !!js ctx.tavernBundle.scenes
- insert:
    - id: tavern-mesh-nats
      name: dsh-fabric-mesh/nats
      config:
        servers: ['${server}']
        name: tavern
        replicas: 1
`

beforeAll(async () => {
  nats = await startNats()
  linkProfile(home, { pace: 5, patch: rows(nats.servers[0] ?? '') })
  browser = await openBrowser()
  host = await startDshWeb(home)
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await nats?.stop()
  remove()
}, 30_000)

it('a seat in DSH hears a character that another home hosts', { timeout: 60_000 }, async () => {
  const west = machine(`${nats.servers[0]}?replicas=1`)
  const hosting = west.start(
    'cast-host',
    '--characters',
    'brandt',
    '--name',
    'west',
    '--lease',
    '2',
  )
  await hosting.outHolds('waiting')
  const seat = await SeatView.open(browser, host.url)
  await seat.chooseWorkspace()
  await seat.choosePreset('Stage')

  await seat.type('Sergeant Brandt, good evening.')
  await hosting.outHolds(' spoken')
  await seat.idle()

  expect(await seat.speakers()).toContain('Sergeant Brandt')
  expect(hosting.out()).toContain('ember-night.1: hosting brandt')
  const { out } = await west.run('cast', 'ember-night', '--json')
  expect(out).toMatch(/"role":"mara".*"name":"web".*"status":"here"/)
  expect(out).toMatch(/"role":"brandt".*"name":"west".*"status":"here"/)
  expect(seat.errors).toEqual([])
  await seat.close()
})
