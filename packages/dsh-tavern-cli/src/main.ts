#!/usr/bin/env node
/** `tavern`: the command line. Checks the runtime first, so that an old Node says so instead of failing inside. */
import { enableCompileCache } from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 11)) {
  process.stderr.write(
    `tavern needs Node 24.11 or newer, found ${process.version}. Run it with: npx -y bun@1.4.5 run tavern\n`,
  )
  process.exit(1)
}
// node:sqlite says it is experimental; nothing else is silenced
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning: string | Error, ...rest: never[]) => {
  if (!String(warning).includes('SQLite is an experimental feature')) emitWarning(warning, ...rest)
}
// whoever read the output has gone (`| head -1`): nothing is left to say, and what was played is kept
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
enableCompileCache()
const { run } = await import('./program.ts')
process.exitCode = await run(process.argv)
