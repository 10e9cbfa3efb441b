/** The checker's thread: one compiler, one check at a time, in the order asked. */
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { enableCompileCache } from 'node:module'
import type { CheckAsked, ThreadMessage } from './thread-words.ts'

/** Touches what every check needs, so that the first caller finds it done. */
const REHEARSAL = 'const [first] = await Promise.all([1].map(async (x) => x + 1))\nreturn { first }'

// Bun keeps compiled code its own way and lacks the function.
enableCompileCache?.()
const { Compiler } = await import('./compiler.ts')
const compiler = new Compiler()
compiler.check({ program: REHEARSAL, declarations: '' })
parentPort?.on('message', ({ id, checking }: CheckAsked) => {
  const checked = compiler.check(checking)
  say({ kind: 'checked', id, checked, heapBytes: getHeapStatistics().used_heap_size })
})
say({ kind: 'warm' })

function say(message: ThreadMessage): void {
  // A port of a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message)
}
