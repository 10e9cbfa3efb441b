/** Budgets of a run: the provider's configuration, or a request's narrower ones. */
export interface CodeLimits {
  /** Milliseconds for check, start and run together. */
  readonly maxWallMs: number
  /** UTF-8 bytes of the program and of what is declared to it. */
  readonly maxSourceBytes: number
  /** Bytes of the program's heap. */
  readonly memoryLimitBytes: number
  /** Bytes of the program's stack. */
  readonly maxStackBytes: number
  /** UTF-8 bytes of logs, completion and message as JSON. */
  readonly maxOutputBytes: number
}

export const DEFAULT_LIMITS: CodeLimits = {
  maxWallMs: 600_000,
  maxSourceBytes: 262_144,
  memoryLimitBytes: 536_870_912,
  maxStackBytes: 262_144,
  maxOutputBytes: 67_108_864,
}

/** What a provider can be configured to, at most. */
export const HIGHEST_LIMITS: CodeLimits = {
  /** A timer's own limit. */
  maxWallMs: 2_147_483_647,
  maxSourceBytes: 67_108_864,
  /** A 32-bit machine's own limit. */
  memoryLimitBytes: 4_294_967_295,
  /** Half of the stack that the engine is built with. */
  maxStackBytes: 524_288,
  maxOutputBytes: 536_870_912,
}
