/** The cast's door: runs, the sessions of their characters, and how a cue becomes a beat. */
export { default, Cast, type Config, runOfSession, sessionIdOf } from './cast.ts'
export { briefing, type BriefingRequest, type Named } from './briefing.ts'
export { Company, type CompanyKey, type CompanyRecord, newestChange } from './company.ts'
export { CastError, type CastErrorCode, storeFailed } from './error.ts'
export { type Failure, failureOf } from './failure.ts'
export type {} from './events.ts'
export { perceivedBy } from './performing.ts'
export { displayName } from './persona.ts'
export { narratorName } from './guidance.ts'
export { type Profile, profileOf } from './profile.ts'
export { basePreset, cardFile } from './presets.ts'
export { cut, indented, oneLine } from './quoting.ts'
export { type Joining, placedBeat, Run, type RunOptions, type UnheardBeat } from './run.ts'
export { RunCast, type RunCastOptions } from './run-cast.ts'
export type { Answer, Attempt, SessionActor } from './session-actor.ts'
export { findStanding, stand } from './standing.ts'
export { stageFold, type StageFold, tokensOf } from './stage-fold.ts'
export {
  changeWorld,
  createWorld,
  findVariable,
  type KnownVariable,
  knows,
  readWorld,
  storedVariable,
} from './world.ts'
