/** A process that says it is ready, asks for the home's key when told to, and says it. */
import { workerKey } from '../../packages/dsh-fabric-mesh/src/worker-key.ts'

process.stdin.once('data', () => {
  process.stdout.write(workerKey(process.argv[2] ?? ''), () => process.exit())
})
process.stdout.write('ready\n')
