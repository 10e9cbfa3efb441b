/** The card and the composition of each character, read from its preset's folder and read again when changed. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { type Card, readCard } from 'dsh-tavern-cards'
import type { CharacterId } from 'dsh-tavern-protocol'
import { CastError } from './error.ts'
import { cardFile } from './presets.ts'

interface Kept {
  readonly stamp: string
  readonly card: Card
}

export class CharacterCards {
  readonly #ctx: Context
  readonly #kept = new Map<string, Kept>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Fails with `unknown-character`, naming the file where there is one. */
  async get(character: CharacterId): Promise<Card> {
    const preset = await this.#ctx.agentPresets.resolve(character).catch((cause: unknown) => {
      throw new CastError('unknown-character', `no character '${character}': it has no preset`, {
        cause,
      })
    })
    return await this.read(join(dirname(preset.path), cardFile))
  }

  async read(path: string): Promise<Card> {
    const stats = await stat(path).catch((cause: unknown) => {
      throw new CastError('unknown-character', `${path}: no card there`, { cause })
    })
    const stamp = `${stats.mtimeMs}/${stats.size}`
    const kept = this.#kept.get(path)
    if (kept?.stamp === stamp) return kept.card
    const { card } = readCard(await readFile(path), path)
    this.#kept.set(path, { stamp, card })
    return card
  }
}
