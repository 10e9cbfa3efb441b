/** Characters with the mesh tool reach what is public in their scene, whatever they ask for. */
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { PryingModel } from './prying-model.ts'
import { SCENES, search, seedsOf } from './searching.ts'

const SEEDS = 12
const prying = {
  rows: '- id: mesh\n  name: dsh-fabric-mesh/tool\n',
  model: (ctx: Context, onWhisper: (actor: string) => string) => new PryingModel(ctx, onWhisper),
}

describe('nobody reads in the mesh what it was not told', () => {
  it.each(SCENES)(
    '%s',
    async (scene) => {
      const { hits, requests, known } = await search(scene, seedsOf(scene, SEEDS), prying)

      expect(hits).toEqual([])
      expect(requests).toBeGreaterThan(SEEDS)
      expect(known).toBeGreaterThan(requests)
    },
    120_000,
  )

  it('and the search finds it when a character is given the whole workspace', async () => {
    const { hits } = await search('glass-ledger', [1], {
      rows: prying.rows,
      // it would break the scene if it changed things there
      model: (ctx, onWhisper) => new PryingModel(ctx, onWhisper, /^(snapshot|get|list|read)/),
      booted: (ctx) => {
        const reach = ctx.mesh.workspace('tavern')
        ctx.on('mesh/access', () => ({ kind: 'restricted', reach }), { prepend: true })
      },
    })

    expect(hits.length).toBeGreaterThan(0)
  }, 60_000)
})
