/** Who takes part: the family of the selected session and the actors it has seen. */
import { parentInFamily } from './family.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import { compareText } from './order.ts'
import {
  participantFormat,
  type ParticipantDirectory,
  type ParticipantKind,
  type ParticipantRecord,
} from './participant.ts'
import { present } from './present.ts'
import { sessionStatus, type SessionInput } from './session-input.ts'
import type { SightedNode } from './sightings.ts'
import { surveyOf, type FabricSources, type Survey } from './survey.ts'

/** Null when the selected session is unknown. */
export function buildParticipantDirectory(sources: FabricSources): ParticipantDirectory | null {
  const survey = surveyOf(sources)
  return survey === undefined ? null : directoryOf(survey)
}

export function directoryOf(survey: Survey): ParticipantDirectory {
  const rootId = fabricSessionNodeId(survey.family.root.id)
  const sessions = [...survey.family.members.values()].map((session) =>
    sessionParticipant(survey, session),
  )
  const actors = [...survey.nodes.values()]
    .filter(({ node }) => node.kind === 'actor')
    .map((sighted) => actorParticipant(sighted, rootId))
    .toSorted((left, right) => compareText(left.name, right.name) || compareText(left.id, right.id))
  return { rootId, participants: [...sessions, ...actors] }
}

function sessionParticipant({ family }: Survey, session: SessionInput): ParticipantRecord {
  const parentId = parentInFamily(family, session)
  return present({
    format: participantFormat,
    kind: sessionKind(session, family.root.id),
    source: 'session-mirror',
    residency: 'session',
    id: fabricSessionNodeId(session.id),
    rootId: fabricSessionNodeId(family.root.id),
    parentId: parentId === undefined ? undefined : fabricSessionNodeId(parentId),
    name: session.label,
    status: sessionStatus(session),
    capabilities: ['open-session'],
    updatedAt: session.updatedAt,
    sessionId: session.id,
    cwd: session.cwd,
    preset: session.preset,
    jobCount: session.jobCount ?? 0,
    tokens: session.tokens,
    durationMs: session.durationMs,
  })
}

function sessionKind(session: SessionInput, rootId: string): Exclude<ParticipantKind, 'actor'> {
  if (session.id === rootId) return 'root'
  return session.origin === 'subagent' ? 'agent' : 'session'
}

function actorParticipant({ node, ownerId }: SightedNode, rootId: string): ParticipantRecord {
  return present({
    format: participantFormat,
    kind: 'actor',
    source: 'fabric-actor',
    residency: 'durable',
    id: node.id,
    rootId,
    parentId: fabricSessionNodeId(ownerId),
    name: node.label,
    status: node.status,
    capabilities: ['send-message'],
    updatedAt: node.updatedAt,
    sessionId: ownerId,
    jobCount: 0,
    detail: node.detail,
  })
}
