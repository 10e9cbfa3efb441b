/** A process that says it is ready, asks for the home's worker when told to, and says its secret. */
import { homeWorker } from '../../packages/dsh-tavern-scene/src/worker.ts'

process.stdin.once('data', () => {
  process.stdout.write(homeWorker(process.argv[2] ?? '').secret, () => process.exit())
})
process.stdout.write('ready\n')
