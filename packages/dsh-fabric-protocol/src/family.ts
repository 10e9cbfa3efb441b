/** Which sessions belong together: the oldest known ancestor of one, and all that descends from it. */
import { compareText, newestByKey } from './order.ts'
import type { SessionInput } from './session-input.ts'

export interface Family {
  readonly root: SessionInput
  /** By session id; the root first, a parent before its children, siblings by id. */
  readonly members: ReadonlyMap<string, SessionInput>
}

/** Undefined when the selected session is unknown. No recursion: lineages may be thousands deep. */
export function findFamily(
  sessions: readonly SessionInput[],
  selectedSessionId: string,
): Family | undefined {
  const known = newestByKey(sessions, (session) => session.id)
  const root = known.get(oldestAncestor(known, selectedSessionId) ?? '')
  if (root === undefined) return undefined
  return { root, members: descendants(known, root) }
}

/** The parent inside the family; the root has none, also where it was picked out of a cycle. */
export function parentInFamily(family: Family, session: SessionInput): string | undefined {
  return session.id === family.root.id ? undefined : session.parentId
}

/** A cycle of parents ends at the smallest id in it, wherever it was entered. */
function oldestAncestor(known: ReadonlyMap<string, SessionInput>, start: string) {
  const path = new Set<string>()
  let current = known.get(start)
  while (current !== undefined) {
    if (path.has(current.id)) return smallestInCycle([...path], current.id)
    path.add(current.id)
    const parent = known.get(current.parentId ?? '')
    if (parent === undefined) return current.id
    current = parent
  }
  return undefined
}

function smallestInCycle(path: readonly string[], entry: string): string {
  const cycle = path.slice(path.indexOf(entry))
  return cycle.reduce((smallest, id) => (compareText(id, smallest) < 0 ? id : smallest))
}

function descendants(known: ReadonlyMap<string, SessionInput>, root: SessionInput) {
  const children = childrenByParent(known)
  const members = new Map<string, SessionInput>()
  const waiting = [root]
  for (let session = waiting.pop(); session !== undefined; session = waiting.pop()) {
    if (members.has(session.id)) continue
    members.set(session.id, session)
    for (const child of children.get(session.id) ?? []) waiting.push(child)
  }
  return members
}

/** Siblings in descending order, because they are taken from the end. */
function childrenByParent(known: ReadonlyMap<string, SessionInput>) {
  const children = new Map<string, SessionInput[]>()
  const ordered = [...known.values()].toSorted((left, right) => compareText(right.id, left.id))
  for (const session of ordered) {
    if (session.parentId === undefined) continue
    const siblings = children.get(session.parentId)
    if (siblings === undefined) children.set(session.parentId, [session])
    else siblings.push(session)
  }
  return children
}
