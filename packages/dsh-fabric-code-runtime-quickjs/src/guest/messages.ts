/** Between the host and a guest thread. One run at a time; what belongs to an earlier one is dropped by its number. */
import type { CodePosition } from '../outcome.ts'
import type { RealmNamespace, RealmSetup } from './realm/setup.ts'

export interface RunMessage {
  readonly kind: 'run'
  readonly run: number
  readonly program: string
  readonly file: string
  readonly prelude?: string
  readonly namespaces: readonly RealmNamespace[]
  readonly constants: RealmSetup['constants']
  readonly limits: GuestLimits
  /** One Int32: not zero means stop. */
  readonly halt: SharedArrayBuffer
}

export interface GuestLimits {
  readonly memoryLimitBytes: number
  readonly maxStackBytes: number
  readonly maxOutputBytes: number
}

export interface ResultsMessage {
  readonly kind: 'results'
  readonly run: number
  readonly results: readonly CallResult[]
}

/** For a program that waits: `halt` reaches one that runs. */
export interface StopMessage {
  readonly kind: 'stop'
  readonly run: number
}

export type ToThread = RunMessage | ResultsMessage | StopMessage

export interface CallResult {
  readonly id: number
  readonly status: 'value' | 'nothing' | 'error'
  /** JSON, or why it failed. */
  readonly text: string
  readonly depth: number
}

export interface GuestCall {
  readonly id: number
  readonly namespace: number
  readonly member: number
  /** JSON; absent when the program gave no argument. */
  readonly argument?: string
}

export interface ReadyMessage {
  readonly kind: 'ready'
}

export interface NewsMessage {
  readonly kind: 'news'
  readonly run: number
  readonly logs: readonly string[]
  readonly calls: readonly GuestCall[]
}

export interface DoneMessage {
  readonly kind: 'done'
  readonly run: number
  readonly logs: readonly string[]
  readonly calls: readonly GuestCall[]
  readonly ending: GuestEnding
  /** What the machine had grown to. */
  readonly machineBytes: number
}

export type FromThread = ReadyMessage | NewsMessage | DoneMessage

export type GuestEnding =
  | { readonly status: 'completed'; readonly text?: string }
  | {
      readonly status: 'failed'
      readonly kind: 'exception' | 'memory' | 'invalid-output' | 'output-limit' | 'worker-exit'
      readonly message: string
      readonly at?: CodePosition
    }
  /** The host's own code, before the program. */
  | { readonly status: 'prelude-failed'; readonly message: string }
  | { readonly status: 'stopped' }
