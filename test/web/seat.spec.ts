/** A seat in the stock `dsh web`, driven as a person drives it: real host, real bundle rows, real Chromium. */
import { basename, join } from 'node:path'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { requestOutcome } from 'dsh-tavern-protocol'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBrowser } from './browser.ts'
import { type DshWeb, linkProfile, newDshHome, startDshWeb } from './dsh-web.ts'
import { SeatView } from './seat-view.ts'

/** Everyone on stage is asked, so at least four answers are owed. */
const everyone = 'Mara, Pip, Brandt, Crane: how did each of you come here? Leave nothing out.'
const answerOfBrandt = /^delegate\s[^]*Sergeant Brandt: /
const POLL = { timeout: 30_000, interval: 50 }
const { home, remove } = newDshHome()
let host: DshWeb
let browser: Browser

beforeAll(async () => {
  linkProfile(home, { pace: 40 })
  browser = await openBrowser()
  host = await startDshWeb(home)
  const first = await SeatView.open(browser, host.url)
  await first.chooseWorkspace()
  await first.close()
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  remove()
}, 30_000)

async function takeSeat(): Promise<SeatView> {
  const seat = await SeatView.open(browser, host.url)
  onTestFinished(() => seat.close())
  await seat.choosePreset('Stage')
  return seat
}

/** Looks at the scene itself, beside the host that plays it. */
async function look<T>(read: (scenes: MeshWorkspace) => Promise<T>): Promise<T> {
  const mesh = openSqliteMesh({ path: join(home, 'tavern/mesh.sqlite') })
  try {
    return await read(mesh.workspace('tavern'))
  } finally {
    await mesh.close()
  }
}

async function beats(): Promise<number> {
  return await look(
    async ({ topics }) => (await topics.find('run/ember-night.1'))?.headSequence ?? 0,
  )
}

/** How the scene settled its newest request, once it has. */
async function newestOutcome(): Promise<string | undefined> {
  return await look(async ({ mailboxes }) => {
    const newest = (await mailboxes.read('run/ember-night.1/narrator')).at(-1)
    return newest?.status === 'completed' ? requestOutcome.parse(newest.result).status : undefined
  })
}

describe('a seat in dsh web', { timeout: 60_000 }, () => {
  it('the presets of the host stay, and its default stays the default', async () => {
    const view = await SeatView.open(browser, host.url)
    onTestFinished(() => view.close())

    const presets = await view.presets()

    for (const name of ['Standard mode', 'PTC mode', 'Minimal mode', 'Stage', 'Mara Hobday']) {
      expect(presets).toContain(name)
    }
  })

  it('a line is answered by several characters, each under its name, while the scene plays on', async () => {
    const seat = await takeSeat()

    await seat.type(everyone)
    await expect.poll(async () => (await seat.speakers()).length, POLL).toBeGreaterThanOrEqual(2)
    const isPlaying = await seat.stopButton.isVisible()
    await seat.idle()

    expect(isPlaying).toBe(true)
    expect(new Set(await seat.speakers()).size).toBeGreaterThanOrEqual(2)
    expect(seat.errors).toEqual([])
  })

  it('/delegate shows the answer without asking the model of the seat, and a reload keeps both', async () => {
    const seat = await takeSeat()
    await seat.type('Good evening again.')
    await expect.poll(() => seat.speakers(), POLL).not.toHaveLength(0)
    await seat.idle()
    const spoken = await seat.speakers()
    const turns = await seat.turns()

    await seat.type('/delegate brandt count us')
    await expect.poll(() => seat.results(), POLL).toEqual([expect.stringMatching(answerOfBrandt)])
    const turnsAfter = await seat.turns()
    await seat.page.reload()
    await expect.poll(() => seat.results(), POLL).toEqual([expect.stringMatching(answerOfBrandt)])

    expect(turnsAfter).toBe(turns)
    expect(await seat.speakers()).toEqual(spoken)
    expect(await seat.text('Good evening again.').isVisible()).toBe(true)
  })

  it('Stop ends the answer of the whole scene', async () => {
    const seat = await takeSeat()
    const before = await beats()
    await seat.type(everyone)
    await expect.poll(beats, POLL).toBeGreaterThanOrEqual(before + 2)

    await seat.stop()
    await seat.idle()

    await expect.poll(newestOutcome, POLL).toBe('cancelled')
    const answers = (await beats()) - before - 1
    expect(answers).toBeLessThan(4)
  })

  it('another scene is played when it is chosen as the model, which the home does not keep as its default', async () => {
    const seat = await takeSeat()

    await seat.chooseModel('The Glass Ledger')
    await seat.type('Who found the plate missing?')
    await expect.poll(() => seat.speakers(), POLL).not.toHaveLength(0)
    await seat.idle()

    const cast = ['Sabine Roe', 'Lucan Teague', 'Bettany Oake', 'Aurelio Crane']
    for (const speaker of await seat.speakers()) expect(cast).toContain(speaker)
    expect(host.settings()).toContain('model: improv-1')
  })

  it('the sessions of the characters are listed by name, and no new session begins among them', async () => {
    const seat = await takeSeat()

    await seat.text('Ungrouped').click()
    await seat.text(/^(Mara|Sabine|Aurelio|Pip)[^,]+, (ember-night|glass-ledger)\.1$/).waitFor()

    expect(await seat.workspace()).toBe(basename(home))
  })
})
