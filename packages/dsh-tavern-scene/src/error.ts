/** The one error class of the scene; callers switch on its code. */

export type SceneErrorCode =
  | 'unknown-scene'
  /** `scene.yml` is not what a scene is; names file and key. */
  | 'invalid-scene'
  /** A scene or a command names a character that is not in the cast. */
  | 'unknown-character'
  | 'ambiguous-character'
  /** The scene has no rule of that name. */
  | 'unknown-rule'
  /** In the cast, not on stage. */
  | 'absent-character'
  /** There is no run of this scene to resume. */
  | 'nothing-to-resume'
  | 'invalid-line'
  | 'closed'
  /** No host of that name was ever on this mesh, or several are. */
  | 'unknown-host'
  /** The host that should take a role is not there. */
  | 'host-away'
  /** A living host's role cannot be taken. */
  | 'host-present'
  /** A setting that this host cannot honour. */
  | 'unsupported'
  /** `host.id` holds no id. */
  | 'damaged-id'

export class SceneError extends Error {
  readonly code: SceneErrorCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(
    code: SceneErrorCode,
    message: string,
    options: { detail?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'SceneError'
    this.code = code
    this.detail = options.detail ?? {}
  }
}
