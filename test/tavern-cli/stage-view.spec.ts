/** What reaches a seat's screen, its pipe and its JSON. */
import { Context } from '@deepseek-ai/cordis'
import type { Language, PlacedBeat } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import { json, printable } from '../../packages/dsh-tavern-cli/src/printable.ts'
import { jsonLine, markdown } from '../../packages/dsh-tavern-cli/src/render.ts'
import { StageView, type Style } from '../../packages/dsh-tavern-cli/src/stage-view.ts'
import {
  applied,
  ellis,
  hears,
  line,
  mara,
  pip,
  placed,
  whisper,
  world,
} from '../tavern-cast/beats.ts'

const HOSTILE = 'a\u001b]52;c;eA==\u0007b\u001b[2J\u009b2Jc\r\u0000\u007f\td\n'
const HARMLESS = 'a]52;c;eA==b[2J2Jc\td\n'
const CONTROLS = /(?![\t\n])\p{Cc}/u
/** What picocolors writes, where it writes any. */
const OWN_COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')

const runId = 'inn.1'

interface Seen {
  readonly all?: boolean
  readonly language?: Language
}

function viewOf(style: Style, { all = false, language = 'en' }: Seen = {}) {
  let shown = ''
  const view = new StageView({
    style,
    all,
    seat: ellis.id,
    language,
    nameOf: (id) => `\u009d${id}`,
    write: (text) => {
      shown += text
    },
  })
  return { view, shown: () => shown }
}

const heard = { heardBy: [ellis.id, pip.id] }
const hostileBeats = (): readonly PlacedBeat[] =>
  placed(
    line({
      ...heard,
      author: { ...pip, name: `Pip${HOSTILE}` },
      text: HOSTILE,
      changes: [applied(HOSTILE, HOSTILE)],
    }),
    whisper({ ...hears(ellis.id, mara.id), text: HOSTILE }),
    world({ ...heard, author: { ...pip, name: HOSTILE }, changes: [applied('door', HOSTILE)] }),
  )

describe('foreign text', () => {
  test('loses its control characters, and keeps tabs and line ends', () => {
    expect(printable(HOSTILE)).toBe(HARMLESS)
  })

  test('has none in JSON, and is the same when read', () => {
    expect(json(HOSTILE)).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(json(HOSTILE))).toBe(HOSTILE)
    for (const one of hostileBeats()) expect(jsonLine(one)).not.toMatch(/\p{Cc}/u)
  })

  test('has none in a transcript', () => {
    expect(
      markdown({ title: HOSTILE, language: 'en', nameOf: () => HOSTILE }, hostileBeats()),
    ).not.toMatch(CONTROLS)
  })

  test('has none in plain lines', () => {
    const { view, shown } = viewOf('plain')

    for (const one of hostileBeats()) view.show(one)

    expect(shown()).toContain(HARMLESS)
    expect(shown()).not.toMatch(CONTROLS)
  })

  test('has no effect at a terminal, also as it streams', async () => {
    const { view, shown } = viewOf('terminal')
    const ctx = new Context()
    await view.follow(ctx, { id: runId, read: async () => [] }, 0)

    for (const one of hostileBeats()) view.show(one)
    const piece = { runId, cueId: 'cue', participant: pip.id, audience: line().audience }
    for (const text of HOSTILE) ctx.emit('performance/delta', { ...piece, text })
    ctx.emit('beat/published', {
      runId,
      placed: { ...heardLine(1, `${HOSTILE}${HOSTILE}`), id: 'cue' },
    })

    const uncoloured = shown().replaceAll(OWN_COLOURS, '')
    expect(uncoloured).toContain('2Jc')
    expect(uncoloured).not.toMatch(CONTROLS)
  })
})

function heardLine(sequence: number, text: string): PlacedBeat {
  return { sequence, id: `beat-${sequence}`, at: 0, beat: line({ ...heard, text }) }
}

describe('--json', () => {
  const secret = applied('safe', 'open', ['pip'])
  const beats = () =>
    placed(
      line({ ...heard, text: 'Hello.', changes: [secret, applied('door', 'open')] }),
      line({ ...heard, text: 'Hm.', changes: [secret] }),
      whisper({ ...hears(mara.id), heardBy: [mara.id, pip.id], text: 'Psst.' }),
      world({ ...heard, changes: [secret] }),
    )
  const printed = (all: boolean) => {
    const { view, shown } = viewOf('json', { all })
    for (const one of beats()) view.show(one)
    return shown()
      .split('\n')
      .filter((text) => text !== '')
      .map((text): unknown => JSON.parse(text))
  }

  test('prints what the seat perceives, with its audience', () => {
    const audience = { kind: 'everyone' }

    const found = printed(false)

    expect(found).toMatchObject([
      { seq: 1, text: 'Hello.', audience, changes: [{ key: 'door' }] },
      { seq: 2, text: 'Hm.', audience },
    ])
    expect(found[0]).toHaveProperty('changes.length', 1)
    expect(found[1]).not.toHaveProperty('changes')
  })

  test('prints everything with --all', () => {
    expect(printed(true)).toMatchObject([
      { seq: 1, changes: [secret, { key: 'door' }] },
      { seq: 2, changes: [secret] },
      { seq: 3, kind: 'whisper' },
      { seq: 4, kind: 'world', changes: [secret] },
    ])
  })
})

const sequencesIn = (text: string) =>
  [...text.matchAll(/"seq":(\d+)/g)].map(([, found]) => Number(found))

describe('a run that is followed', () => {
  test('shows each beat once and in order, however stored and settling ones meet', async () => {
    const ctx = new Context()
    const { view, shown } = viewOf('json')
    const stored = [3, 4].map((sequence) => heardLine(sequence, 'stored'))
    const settle = (sequence: number) => {
      const settled = heardLine(sequence, 'settled')
      stored.push(settled)
      ctx.emit('beat/published', { runId, placed: settled })
    }
    let reads = 0
    const read = async (after: number) => {
      // beats settle while they are being read
      if (reads++ === 0) settle(5)
      return stored.filter(({ sequence }) => sequence > after)
    }

    await view.follow(ctx, { id: runId, read }, 2)
    settle(6)
    stored.push(heardLine(7, 'settled elsewhere'))
    settle(8)
    await view.catchUp({ read })

    expect(sequencesIn(shown())).toEqual([3, 4, 5, 6, 7, 8])
  })

  test('shows nothing of another run, nor what came before', async () => {
    const ctx = new Context()
    const { view, shown } = viewOf('json')
    await view.follow(ctx, { id: runId, read: async () => [] }, 2)

    ctx.emit('beat/published', { runId: 'inn.2', placed: heardLine(3, 'elsewhere') })
    ctx.emit('beat/published', { runId, placed: heardLine(2, 'before') })

    expect(shown()).toBe('')
  })
})

describe('at a terminal', () => {
  const piece = { runId, participant: pip.id, audience: line().audience }
  const cue = {
    id: 'inn.1/line-1#0',
    requestId: 'line-1',
    index: 0,
    runId,
    character: 'pip',
    reason: 'drawn',
    audience: line().audience,
    seed: '1',
  } as const
  const followed = async (language: Language = 'en') => {
    const ctx = new Context()
    const { view, shown } = viewOf('terminal', { language })
    await view.follow(ctx, { id: runId, read: async () => [] }, 0)
    return { ctx, view, shown }
  }

  test('a stop closes the line that streams, and no more of its words come', async () => {
    const { ctx, view, shown } = await followed()
    ctx.emit('cue/claimed', { cue })
    ctx.emit('performance/delta', { ...piece, cueId: cue.id, text: 'I was about to ' })

    view.cutOff()
    view.note('Stopped.')
    ctx.emit('performance/delta', { ...piece, cueId: cue.id, text: 'say it.' })
    ctx.emit('cue/settled', { cue, outcome: { status: 'cancelled' } })

    expect(shown()).toMatch(/I was about to.*\(not said\).*\n\n.*Stopped\./s)
    expect(shown()).not.toContain('say')
    expect(shown().match(/not said/g)).toHaveLength(1)
  })

  test('a stop before the first word lets none come, yet what was said all the same is shown', async () => {
    const { ctx, view, shown } = await followed()
    ctx.emit('cue/claimed', { cue })

    view.cutOff()
    ctx.emit('performance/delta', { ...piece, cueId: cue.id, text: 'Too ' })
    const before = shown()
    ctx.emit('beat/published', { runId, placed: { ...heardLine(1, 'Too late.'), id: cue.id } })

    expect(before).toBe('')
    expect(shown()).toContain('Too late.')
  })

  test('notes break between words', async () => {
    const { view, shown } = await followed()

    view.note('word '.repeat(60))

    expect(shown().split('\n').length).toBeGreaterThan(3)
    expect(shown()).not.toMatch(/^ord|^rd|^d /m)
  })

  test('a Chinese scene speaks Chinese', async () => {
    const { ctx, view, shown } = await followed('zh')

    for (const one of placed(
      whisper({ ...hears(ellis.id), heardBy: [ellis.id, pip.id], text: '嘘。' }),
    ))
      view.show(one)
    ctx.emit('cue/settled', { cue, outcome: { status: 'failed', code: 'x', message: 'y' } })

    expect(shown()).toContain('（悄声对你说）')
    expect(shown()).toContain('没能回答：x: y')
  })
})
