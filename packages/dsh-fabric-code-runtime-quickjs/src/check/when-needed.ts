/** A checker that is opened by its first check: a host that runs no program starts no thread for it. */
import type { Checker } from '../checking.ts'

export function openWhenNeeded(open: () => Checker): Checker {
  let opened: Checker | undefined
  return {
    check: (checking, signal) => (opened ??= open()).check(checking, signal),
    dispose: async () => await opened?.dispose(),
  }
}
