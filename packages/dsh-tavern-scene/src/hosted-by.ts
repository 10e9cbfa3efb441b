/** Who hosts a role, since when, and whether that host is there: one line for people. */
import type { HostedRole } from './roles.ts'

export function hostedBy(hosted: HostedRole | undefined): string {
  if (!hosted) return 'nobody hosts it'
  const { name, since, status } = hosted
  const at = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  const how = { here: 'present', away: 'away', left: 'left', unsure: 'not heard of yet' }[status]
  return `${name} since ${at} UTC, ${how}`
}
