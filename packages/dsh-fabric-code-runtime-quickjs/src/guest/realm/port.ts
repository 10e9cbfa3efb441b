/**
 * What the thread gives the realm. Nothing said here carries authority: the thread takes a call of
 * what is bound, a log line, a wish to be woken; how the run ended it sees for itself.
 */
import type { EncoderRealm } from '../../crossing/encoder.ts'

export interface RealmPort extends EncoderRealm {
  /** A call of the member at this place of the setup; its argument as JSON after a `=`, or `-` for none. */
  call(id: number, namespace: number, member: number, argument: string): void
  /** A line after a `=`. */
  log(line: string): void
  /** In so many milliseconds; below zero: not at all. */
  wake(milliseconds: number): void
}
