/** The scene's door: `ctx.scenes`, an open scene, and the commands of a seat. */
export { findCharacter } from './character-names.ts'
export {
  actsAtOnce,
  type CommandResult,
  onlyLooks,
  runCommand,
  type SceneCommand,
  sceneCommands,
} from './commands.ts'
export { SceneError, type SceneErrorCode } from './error.ts'
export { type HostStatus, Presence, type SeenHost } from './presence.ts'
export { type HostedRole, type Role, Roles } from './roles.ts'
export { hostedBy } from './hosted-by.ts'
export { patientWorkspace } from './patient-workspace.ts'
export { OpenScene, type Submitted } from './open-scene.ts'
export type { Speaker, SpokenLine } from './request.ts'
export { findRun, type StoredRun } from './runs.ts'
export { type Programs } from './rule-files.ts'
export { listScenes, parseScene, readScene, sceneFile } from './scene-files.ts'
export { type Config, default, type OpenOptions, Scenes } from './scenes.ts'
export { stageProvider, StageRoute } from './stage-route.ts'
