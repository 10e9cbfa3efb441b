/** No leak by construction: marks in everything private, many seeds, every request byte of everybody else searched. */
import { Run } from 'dsh-tavern-cast'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WRITTEN } from './canaries.ts'
import { SCENES, search, seedsOf } from './searching.ts'

/** In all; each scene is played under a third of them. */
const SEEDS = 201

afterEach(() => vi.restoreAllMocks())

describe('nobody is sent what it was not told', () => {
  it.each(SCENES)(
    '%s',
    async (scene) => {
      const { hits, requests, known, whispers, ruled } = await search(scene, seedsOf(scene, SEEDS))

      expect(hits).toEqual([])
      expect(requests).toBeGreaterThan(SEEDS)
      expect(known).toBeGreaterThan(requests)
      expect(whispers).toBeGreaterThan(0)
      expect(ruled).toBeGreaterThan(requests / 4)
    },
    300_000,
  )

  it('and the search finds it when the audience is not asked', async () => {
    vi.spyOn(Run.prototype, 'heardBy').mockImplementation(function (this: Run) {
      const cast = this.scene.cast.map(({ character }) => `character:${character}`)
      return [...cast, ...this.stage.seats, 'narrator']
    })

    const { hits } = await search('glass-ledger', [1, 2])

    expect(hits.length).toBeGreaterThan(0)
    expect(hits.join()).toContain(WRITTEN)
  }, 60_000)
})
