/** A card's greeting as the first answer in a new session's log, in the shape the host resumes and measures. */
import { createAssistantMessage } from '@deepseek-ai/dsh-llm'
import { Session, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'

export function greetingSeed(
  sessionId: string,
  text: string,
  route: { readonly provider: string; readonly model: string },
): readonly SessionEvent[] {
  const session = Session.create(SessionId(sessionId))
  const [turn, step] = [1, 1]
  session.append('turn/start', { turn })
  session.append('step/start', { turn, step })
  session.append(
    'assistant/message',
    {
      turn,
      step,
      message: createAssistantMessage({ content: [{ type: 'text', text }], source: route }),
    },
    { surfaceOp: 'append', sourceEventSeqs: [] },
  )
  session.append('step/end', { turn, step })
  session.append('turn/end', { turn, reason: { kind: 'completed' } })
  return session.events
}
