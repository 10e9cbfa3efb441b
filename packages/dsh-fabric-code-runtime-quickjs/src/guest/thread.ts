/** The guest thread: takes one run at a time, and keeps a fresh machine ready for the next. */
import { parentPort } from 'node:worker_threads'
import { openEngine } from './engine.ts'
import type { FromThread, ToThread } from './messages.ts'
import { Execution } from './execution.ts'

const port = parentPort
if (port === null) throw new Error('this module is a thread of the guest pool')

const post = (message: FromThread): void => port.postMessage(message)
const engine = await openEngine()
let current: Execution | undefined

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'run':
      current = new Execution(engine, message, post)
      void current.start()
      return
    case 'results':
      if (current?.run === message.run) current.settle(message.results)
      return
    case 'stop':
      if (current?.run === message.run) current.stop()
      return
  }
})
engine.prepare()
post({ kind: 'ready' })
