/** What one run of a rule may take, and what may come of it. */
import type { CodeLimits } from 'dsh-fabric-code-runtime-quickjs'

export const limits = {
  rolls: 16,
  /** In one roll. */
  dice: 100,
  tells: 4,
  passages: 8,
  changes: 32,
  /** UTF-16 units of a passage, or of what is told. */
  text: 2000,
  label: 100,
  /** UTF-16 units of a changed value as JSON. */
  value: 4096,
} as const

export const runLimits: Partial<CodeLimits> = {
  /** A rule takes milliseconds; a busy machine must not be its failure. */
  maxWallMs: 3000,
  memoryLimitBytes: 32 * 1024 * 1024,
  maxOutputBytes: 512 * 1024,
}

/** The first check reads the whole language, and the first run starts a thread. */
export const warmLimits: Partial<CodeLimits> = { maxWallMs: 30_000 }

/** Failures in a row after which a rule is not run again by itself. */
export const PATIENCE = 3

/** Of all the rules, for one request. */
export const RUNS_PER_REQUEST = 32
