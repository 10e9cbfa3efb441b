/** Where a topic or a state key hangs in the tree: its group, the namespaces below it, its own name. */
import type { GroupKind } from './graph-words.ts'

export interface Namespace {
  readonly segment: string
  readonly label: string
}

export interface GroupPlace {
  readonly group: GroupKind
  readonly namespaces: readonly Namespace[]
  /** The last segment. */
  readonly leaf: string
}

/** Deeper names keep their rest in the leaf; an id of 256 bytes cannot reach this. */
const deepestNamespace = 128

/** Segments are parted by `.`, `:` or `/`; the first one `fabric` is the Fabric group itself. */
export function topicPlace(name: string): GroupPlace {
  const segments = segmentsOf(name, /[.:/]/)
  if (segments[0] !== 'fabric') return place('topic-project', segments, name)
  return place('topic-fabric', segments.slice(1), name)
}

/** Segments are parted by `/`; `state/…` is the world, `schema/…` what is known of it. */
export function statePlace(key: string): GroupPlace {
  const segments = segmentsOf(key, /\//)
  if (segments.length < 2) return place('state-project', segments, key)
  if (segments[0] === 'state') return place('state-world', segments.slice(1), key)
  if (segments[0] === 'schema') return schemaPlace(segments.slice(1), key)
  return place('state-project', segments, key)
}

const schemaLabels: Readonly<Record<string, string>> = {
  hypothesis: 'Hypotheses',
  certificate: 'Certificates',
}

function schemaPlace(segments: readonly string[], key: string): GroupPlace {
  const { namespaces, ...rest } = place('state-schema', segments, key)
  const own = Object.hasOwn(schemaLabels, segments[0] ?? '')
  const labelled = namespaces.map(({ segment, label }, depth) => {
    if (!own) return { segment, label: titleCase(segment) }
    return { segment, label: depth === 0 ? (schemaLabels[segment] ?? label) : label }
  })
  return { ...rest, namespaces: labelled }
}

function place(group: GroupKind, segments: readonly string[], name: string): GroupPlace {
  const depth = Math.min(segments.length - 1, deepestNamespace)
  if (depth < 0) return { group, namespaces: [], leaf: name }
  const namespaces = segments.slice(0, depth).map((segment) => ({ segment, label: segment }))
  return { group, namespaces, leaf: segments.slice(depth).join('/') }
}

function segmentsOf(name: string, separator: RegExp): readonly string[] {
  return name.split(separator).filter((segment) => segment !== '')
}

function titleCase(segment: string): string {
  const words = segment.split(/[-_\s]+/).filter((word) => word !== '')
  return words.length === 0 ? segment : words.map(capitalise).join(' ')
}

function capitalise(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}
