/** Which tavern this is, and on which host it runs. */
import { createRequire } from 'node:module'
import { z } from 'zod'

export function tavernVersion(): string {
  return versionOf('dsh-tavern-cli')
}

export function hostVersion(): string {
  return versionOf('@deepseek-ai/dsh-agent-loop')
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url)
  const manifest: unknown = require(`${name}/package.json`)
  return z.object({ version: z.string() }).parse(manifest).version
}
