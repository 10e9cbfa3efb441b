/** Which version a card's object is, decided by what it says of itself. */
import type { CardVersion, JsonObject } from './card.ts'
import { CardError } from './card-error.ts'
import type { WarningLog } from './fields.ts'
import { describeValue, isObject } from './json-text.ts'

/** Where a card's fields stand. */
export interface CardBody {
  readonly version: CardVersion
  readonly body: JsonObject
  /** Path of `body`: empty for the root. */
  readonly path: '' | 'data'
}

/** The fields that every V1 card has; one of them is enough to recognise it. */
export const v1Fields = [
  'name',
  'description',
  'personality',
  'scenario',
  'first_mes',
  'mes_example',
] as const

/** The closest specs that this reads, by their name in the file. */
const versions: ReadonlyMap<string, 'v2' | 'v3'> = new Map([
  ['chara_card_v2', 'v2'],
  ['chara_card_v3', 'v3'],
])

export function cardBodyOf(source: JsonObject, log: WarningLog): CardBody {
  const { spec, data } = source
  if (spec === undefined || spec === null || spec === '') return withoutSpec(source, log)
  const fail = (
    code: 'not-a-card' | 'unsupported' | 'wrong-type',
    field: string,
    wanted: string,
  ) => {
    const found = describeValue(source[field])
    const problem = `field '${field}' must be ${wanted}, found ${found}`
    return new CardError(code, problem, { file: log.file, field, found })
  }
  if (typeof spec !== 'string') throw fail('wrong-type', 'spec', 'text')
  const version = versions.get(spec)
  if (version === undefined) {
    if (spec.startsWith('lorebook')) throw fail('not-a-card', 'spec', 'that of a card')
    throw fail('unsupported', 'spec', [...versions.keys()].join(' or '))
  }
  if (!isObject(data)) throw fail('wrong-type', 'data', 'an object')
  warnOfVersion(source, version, log)
  return { version, body: data, path: 'data' }
}

function withoutSpec(source: JsonObject, log: WarningLog): CardBody {
  if (v1Fields.some((field) => Object.hasOwn(source, field))) {
    return { version: 'v1', body: source, path: '' }
  }
  if (isObject(source.data) && Object.hasOwn(source.data, 'name')) {
    log.add('spec', describeValue(source.spec), 'taken as a V2 card')
    return { version: 'v2', body: source.data, path: 'data' }
  }
  const found = 'JSON without the fields of a card'
  throw new CardError('not-a-card', `is ${found}`, { file: log.file, found })
}

/** V2 has one version, V3 is read up to its last minor one; newer ones are read as far as known. */
function warnOfVersion(source: JsonObject, version: 'v2' | 'v3', log: WarningLog): void {
  const stated = source.spec_version
  const found = describeValue(stated)
  const number = typeof stated === 'string' ? Number.parseFloat(stated) : stated
  const major = version === 'v2' ? 2 : 3
  if (typeof number !== 'number' || Number.isNaN(number)) {
    log.add('spec_version', found, `taken as ${major}.0`)
  } else if (number >= major + 1) {
    log.add(
      'spec_version',
      found,
      `newer than ${major}.x; fields it may have added are kept unread`,
    )
  } else if (number < major) {
    log.add('spec_version', found, `older than ${version}; taken as ${major}.0`)
  } else if (typeof stated === 'number') {
    log.add('spec_version', found, 'taken as text')
  }
}
