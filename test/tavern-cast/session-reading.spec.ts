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
    this.session.append('user/message', message, { surfaceOp: 'append', sourceEventSeqs: [] })
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
      { surfaceOp: 'append', sourceEventSeqs: [] },
    )
    return this
  }

  result(meta?: SessionEventMap['tool/result']['meta'], failed = false) {
    const message = createToolResultMessage({
      callId: CallId('call-1'),
      toolName: 'whisper',
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
      { surfaceOp: 'append', sourceEventSeqs: [] },
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
