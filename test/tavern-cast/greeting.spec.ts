import { Session, SessionId } from '@deepseek-ai/dsh-session'
import { expect, test } from 'vitest'
import { greetingSeed } from '../../packages/dsh-tavern-cast/src/greeting.ts'
import { CueTurns } from '../../packages/dsh-tavern-cast/src/session-reading.ts'

const route = { provider: 'improv', model: 'improv-1' }
const events = greetingSeed('tavern.inn.1.mara', 'Come in, {{sit}}.', route)

test('a greeting is one finished turn with one answer, as written', () => {
  const answers = events.flatMap((event) =>
    event.type === 'assistant/message' ? [event.data] : [],
  )

  expect(events.map(({ type }) => type)).toEqual([
    'turn/start',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end',
  ])
  expect(answers.map(({ message }) => message.content)).toEqual([
    [{ type: 'text', text: 'Come in, {{sit}}.' }],
  ])
  expect(answers[0]?.message.source).toMatchObject(route)
})

test('a greeting is no answer to a cue', () => {
  const turns = new CueTurns()

  for (const event of events) turns.add(event)

  expect(turns.turns).toEqual([])
})

test('the host takes it as the beginning of a log', () => {
  const session = Session.create(SessionId('tavern.inn.1.mara'), events)

  expect(session.surface.nodes).toHaveLength(1)
  expect(session.events.slice(0, events.length)).toEqual(events)
})
