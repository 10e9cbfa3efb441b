/** A process that takes a place, says what came of it, and stays until killed or told to release. */
import { host } from '../../packages/dsh-tavern-cast/src/hosting.ts'

const hosting = host(process.argv[2] ?? '', { pid: process.pid, startedAt: 'at the start' })
process.stdout.write(`${hosting.status}\n`)
process.stdin.once('data', () => {
  if (hosting.status === 'held') hosting.release()
  process.stdout.write('released\n')
})
