import type { Beat } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import {
  changesText,
  hearersOf,
  jsonLine,
  markdown,
} from '../../packages/dsh-tavern-cli/src/render.ts'
import {
  applied,
  conflict,
  ellis,
  entrance,
  exit,
  hears,
  line,
  mara,
  narration,
  pip,
  placed,
  roll,
  whisper,
  world,
} from '../tavern-cast/beats.ts'

const nameOf = (id: string) => ({ [mara.id]: 'Mara' })[id] ?? id.slice(id.indexOf(':') + 1)

const parsed = (...beats: readonly Beat[]) =>
  placed(...beats).map((one): unknown => JSON.parse(jsonLine(one)))

describe('a transcript', () => {
  test('is one paragraph a beat, each with who and how', () => {
    const beats = placed(
      narration({ text: 'Rain.' }),
      entrance(),
      line({ author: ellis, text: 'Is the ferry in?' }),
      line({ text: 'No.', changes: [applied('ferry', 'gone'), applied('safe', 1, ['pip'])] }),
      whisper({ text: 'Psst.', ...hears(mara.id, ellis.id) }),
      world({ changes: [applied('door', 'open')] }),
      world({ text: 'The door swings.', changes: [conflict('door', 'a', 'b')] }),
      roll({ text: 'Pip rolls d20: 7.' }),
      exit(),
    )

    expect(markdown({ title: 'The inn', language: 'en', nameOf }, beats)).toMatchInlineSnapshot(`
      "# The inn

      *Rain.*

      *Pip comes in.*

      **Ellis:** Is the ferry in?

      **Pip:** No. [ferry = "gone"]

      **Pip** *(whispers to Mara, Ellis)*: Psst.

      *Pip* [door = "open"]

      *The door swings.*

      *Pip rolls d20: 7.*

      *Pip leaves.*"
    `)
  })

  test('of nothing is its title', () => {
    expect(markdown({ title: 'The inn', language: 'en', nameOf }, [])).toBe('# The inn')
  })
})

describe('changes in a few words', () => {
  test('are what really changed and everyone may know', () => {
    const changes = [
      applied('door', 'open'),
      conflict('bowl', 'a', 'b'),
      applied('safe', 1, ['pip']),
      applied('lamp', false),
    ]

    expect(changesText(line({ changes }))).toBe(' [door = "open", lamp = false]')
  })

  test('are none for beats that change nothing', () => {
    expect(changesText(line())).toBe('')
    expect(changesText(line({ changes: [conflict('bowl', 'a', 'b')] }))).toBe('')
    expect(changesText(narration())).toBe('')
  })
})

describe('the hearers', () => {
  test('are named', () => {
    expect(hearersOf(whisper(hears('character:mara', 'seat:a:b', 'narrator')), nameOf)).toBe(
      'Mara, a:b, narrator',
    )
  })

  test('of what everyone hears are everyone', () => {
    expect(hearersOf(line(), nameOf)).toBe('everyone')
  })
})

describe('a beat for a program', () => {
  const spoken = {
    provider: 'improv',
    model: 'improv-1',
    usage: { inputTokens: 5, outputTokens: 2 },
  }
  test('is one line of JSON with its place', () => {
    const [found] = placed(line({ text: 'One\ntwo\u2028', ...spoken, author: pip }))
    if (!found) throw new Error('no beat')

    const text = jsonLine({ ...found, at: 12 })

    expect(text).not.toContain('\n')
    expect(JSON.parse(text)).toEqual({
      seq: 1,
      id: 'beat-1',
      kind: 'line',
      author: { id: 'character:pip', name: 'Pip' },
      text: 'One\ntwo\u2028',
      audience: { kind: 'everyone' },
      cause: 'line-1',
      ...spoken,
      at: 12,
    })
  })

  test('says what it changed and what it did not', () => {
    const changes = [applied('door', 'open'), conflict('bowl', 'a', 'b')]

    expect(parsed(world({ changes }))).toMatchObject([{ kind: 'world', changes }])
  })

  test('has no keys for what its kind has not', () => {
    for (const found of parsed(narration(), entrance(), exit(), roll(), line())) {
      expect(found).not.toHaveProperty('model')
      expect(found).not.toHaveProperty('changes')
    }
  })

  test('never says who heard it beyond its audience', () => {
    const [found] = placed(whisper({ heardBy: [mara.id, 'narrator'] }))

    expect(found && jsonLine(found)).not.toContain('narrator')
  })
})
