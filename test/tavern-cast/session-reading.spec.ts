import {
  CallId,
  createAssistantMessage,
  createToolResultMessage,
  createUserMessage,
  type TokenUsage,
} from '@deepseek-ai/dsh-llm'
import { Session, type SessionEventMap, SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, test } from 'vitest'
import {
  castPlugin,
  cueSourceOf,
  CueTurns,
  isFinished,
} from '../../packages/dsh-tavern-cast/src/session-reading.ts'

/** A session's log written event by event, as the host's loop writes it. */
class Log {
  readonly session = Session.create(SessionId('tavern.inn.1.mara'))
  #turn = 0
  #step = 0

  turn(source: Readonly<Record<string, unknown>> = { cueId: 'cue-1', seed: 's', perceivedTo: 7 }) {
    this.#turn += 1
    this.#step = 0
    this.session.append('turn/start', { turn: this.#turn })
    const message = createUserMessage({
      content: [{ type: 'text', text: 'Your cue.' }],
      source: { kind: 'plugin', plugin: castPlugin, ...source },
    })
    this.session.append('user/message', message, { surfaceOp: 'append' })
    return this
  }

  says(text: string, usage?: TokenUsage, model = 'improv-1') {
    this.#step += 1
    const message = createAssistantMessage({
      content: [{ type: 'text', text }],
      source: { provider: 'improv', model },
    })
    this.session.append(
      'assistant/message',
      { turn: this.#turn, step: this.#step, message, ...(usage ? { usage } : {}) },
      { surfaceOp: 'append' },
    )
    return this
  }

  result(meta?: SessionEventMap['tool/result']['meta'], failed = false) {
    const message = createToolResultMessage({
      callId: CallId('call-1'),
      content: [{ type: 'text', text: 'ok' }],
      isError: failed,
    })
    const error = { name: 'CastError', code: 'refused' }
    this.session.append(
      'tool/result',
      {
        turn: this.#turn,
        step: this.#step,
        message,
        ...(meta === undefined ? {} : { meta }),
        ...(failed ? { error } : {}),
      },
      { surfaceOp: 'append' },
    )
    return this
  }

  end(reason: SessionEventMap['turn/end']['reason'] = { kind: 'completed' }) {
    this.session.append('turn/end', { turn: this.#turn, reason })
    return this
  }

  get turns() {
    const turns = new CueTurns()
    for (const event of this.session.events) turns.add(event)
    return turns.turns
  }
}

const usage = (inputTokens: number, outputTokens: number, other: Partial<TokenUsage> = {}) => ({
  inputTokens,
  outputTokens,
  ...other,
})

describe('a turn of ours', () => {
  test('that completed is the answer to its cue', () => {
    const log = new Log().turn().says('Sit down.', usage(100, 10)).end()

    const [turn, ...more] = log.turns
    expect(more).toEqual([])
    expect(turn).toMatchObject({
      source: { cueId: 'cue-1', seed: 's', perceivedTo: 7 },
      end: 'completed',
      text: 'Sit down.',
      provider: 'improv',
      model: 'improv-1',
      usage: usage(100, 10),
      failure: undefined,
    })
    expect(turn && isFinished(turn)).toBe(true)
    expect(turn?.startSeq).toBe(log.session.events[0]?.seq)
    expect(turn?.endSeq).toBe(log.session.events.at(-1)?.seq)
  })

  test('that its token limit cut counts too', () => {
    const [turn] = new Log().turn().says('Sit d').end({ kind: 'max-tokens' }).turns

    expect(turn && isFinished(turn)).toBe(true)
    expect(turn?.text).toBe('Sit d')
  })

  test.each([
    { kind: 'interrupted' } as const,
    { kind: 'blocked' } as const,
    { kind: 'aborted', reason: { kind: 'user' } } as const,
  ])('that ended $kind is no answer, and has no failure of its own', (reason) => {
    const [turn] = new Log().turn().says('Sit').end(reason).turns

    expect(turn && isFinished(turn)).toBe(false)
    expect(turn?.end).toBe(reason.kind)
    expect(turn?.failure).toBeUndefined()
  })

  test('that failed keeps the reason', () => {
    const error = { code: 'NO_ADAPTER', message: 'no adapter for x', retryable: false }

    const [turn] = new Log().turn().end({ kind: 'error', error }).turns

    expect(turn && isFinished(turn)).toBe(false)
    expect(turn?.failure).toEqual({ code: 'NO_ADAPTER', message: 'no adapter for x' })
  })

  test('that the log breaks off in has no end', () => {
    const [turn] = new Log().turn().says('Sit').turns

    expect(turn?.end).toBeUndefined()
    expect(turn?.endSeq).toBeUndefined()
    expect(turn && isFinished(turn)).toBe(false)
  })
})

describe('several steps', () => {
  test('make one text, without empty ones', () => {
    const [turn] = new Log()
      .turn()
      .says(' Wait. ')
      .result()
      .says('')
      .result()
      .says('Done.\n')
      .end().turns

    expect(turn?.text).toBe('Wait.\nDone.')
  })

  test('cost what they cost together, input from the cache too', () => {
    const [turn] = new Log()
      .turn()
      .says('One.', usage(100, 10, { cacheReadTokens: 1000, reasoningTokens: 5 }))
      .says('Two.')
      .says('Three.', usage(20, 2, { cacheWriteTokens: 300 }))
      .end().turns

    expect(turn?.usage).toEqual(usage(1420, 12))
  })

  test('without any report of usage have none', () => {
    const [turn] = new Log().turn().says('One.').says('Two.').end().turns

    expect(turn?.usage).toBeUndefined()
  })

  test('were spoken by the model of the last', () => {
    const [turn] = new Log().turn().says('One.').says('Two.', undefined, 'improv-2').end().turns

    expect(turn?.model).toBe('improv-2')
  })

  test('keep what successful tools left, in order', () => {
    const [turn] = new Log()
      .turn()
      .says('')
      .result({ effect: 1 })
      .result()
      .result(null)
      .result({ effect: 'no' }, true)
      .result({ effect: 2 })
      .end().turns

    expect(turn?.metas).toEqual([{ effect: 1 }, null, { effect: 2 }])
  })
})

describe('a log of many turns', () => {
  test('keeps cues apart, also the same one tried again', () => {
    const log = new Log()
      .turn({ cueId: 'a', seed: 's', perceivedTo: 1 })
      .says('Half')
      .end({ kind: 'interrupted' })
      .turn({ cueId: 'a', seed: 's', perceivedTo: 1 })
      .says('Whole.')
      .result({ effect: 1 })
      .end()
      .turn({ cueId: 'b', seed: 's', perceivedTo: 2 })
      .says('Next.')
      .end()

    const found = log.turns.map(({ source, end, text }) => [source.cueId, end, text])
    expect(found).toEqual([
      ['a', 'interrupted', 'Half'],
      ['a', 'completed', 'Whole.'],
      ['b', 'completed', 'Next.'],
    ])
    expect(log.turns.map(({ metas }) => metas.length)).toEqual([0, 1, 0])
    expect(log.turns[0]?.endSeq).toBeLessThan(log.turns[1]?.startSeq ?? 0)
  })

  test('has no turn of ours for messages without a cue', () => {
    const log = new Log()
      .turn({ plugin: 'dsh-other', cueId: 'a', seed: 's' })
      .says('Not ours.')
      .end()
      .turn({ shadowOf: 'a' })
      .end()

    expect(log.turns).toEqual([])
  })

  test('does not add what came after its end to a turn', () => {
    const log = new Log().turn().says('Ours.', usage(1, 1)).end()

    log.turn({ plugin: 'dsh-other' }).says('Not ours.', usage(9, 9)).result({ effect: 1 }).end()

    expect(log.turns).toHaveLength(1)
    expect(log.turns[0]).toMatchObject({ text: 'Ours.', usage: usage(1, 1), metas: [] })
  })
})

const sourceOf = (source: Readonly<Record<string, unknown>>) =>
  cueSourceOf(
    createUserMessage({
      content: [{ type: 'text', text: 'Your cue.' }],
      source: { kind: 'plugin', plugin: castPlugin, ...source },
    }),
  )

describe('the cue that a message carries', () => {
  test('is read back whole', () => {
    expect(sourceOf({ cueId: 'a', seed: 's', perceivedTo: 3, form: 'relay' })).toEqual({
      cueId: 'a',
      seed: 's',
      perceivedTo: 3,
    })
  })

  test('without a cursor has perceived nothing', () => {
    expect(sourceOf({ cueId: 'a', seed: 's' })?.perceivedTo).toBe(0)
    expect(sourceOf({ cueId: 'a', seed: 's', perceivedTo: '3' })?.perceivedTo).toBe(0)
  })

  test.each([{}, { cueId: 'a' }, { seed: 's' }, { cueId: 1, seed: 's' }, { shadowOf: 'a' }])(
    'is none in %j',
    (source) => {
      expect(sourceOf(source)).toBeUndefined()
    },
  )
})
