/** A child process: `process-child.ts <path of the store> <work> <name>`; works once it reads a line. */
import { once } from 'node:events'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import {
  empty,
  fill,
  increment,
  liveOn,
  meet,
  publishOwn,
  publishSame,
  workerNamed,
  workspaceIdentity,
} from './process-work.ts'

const [path = '', work = '', name = ''] = process.argv.slice(2)
const mesh = openSqliteMesh({ path })
const workspace = mesh.workspace(workspaceIdentity)
process.stderr.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
switch (work) {
  case 'increment':
    await increment(workspace, 25)
    break
  case 'empty':
    await empty(workspace, workerNamed(name))
    break
  case 'publish-same':
    await publishSame(workspace, 40)
    break
  case 'publish-own':
    await publishOwn(workspace, name, 150)
    break
  case 'meet':
    await meet(workspace, name)
    break
  case 'live-on':
    await liveOn(workspace, workerNamed(name.split('.')[0] ?? ''), name)
    break
  case 'fill':
    await fill(workspace)
    break
  default:
    throw new Error(`no work '${work}'`)
}
await mesh.close()
