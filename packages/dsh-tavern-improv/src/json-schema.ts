/** Does a value fit a tool's JSON schema, and which values does a schema list? */

type Schema = Readonly<Record<string, unknown>>

/** Only what tool schemas use; a keyword it does not know is no reason to refuse. */
export function fits(schema: unknown, value: unknown): boolean {
  if (!isSchema(schema)) return true
  const choices = listOf(schema['anyOf'] ?? schema['oneOf'])
  if (choices.length > 0 && !choices.some((choice) => fits(choice, value))) return false
  if ('const' in schema && schema['const'] !== value) return false
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false
  if (typeof value === 'string')
    return within(value.length, schema['minLength'], schema['maxLength'])
  if (typeof value === 'number') return within(value, schema['minimum'], schema['maximum'])
  if (Array.isArray(value)) {
    return (
      within(value.length, schema['minItems'], schema['maxItems']) &&
      value.every((item) => fits(schema['items'], item))
    )
  }
  return !isSchema(value) || fitsObject(schema, value)
}

function fitsObject(schema: Schema, value: Schema): boolean {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const isClosed = schema['additionalProperties'] === false
  return (
    listOf(schema['required']).every((key) => typeof key !== 'string' || key in value) &&
    Object.entries(value).every(([key, one]) =>
      key in properties ? fits(properties[key], one) : !isClosed,
    )
  )
}

/** The strings a property lists, itself or as items of a list. */
export function enumOf(schema: unknown, property: string): readonly string[] {
  const properties = isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {}
  const found = properties[property]
  if (!isSchema(found)) return []
  const source = isSchema(found['items']) ? found['items'] : found
  const constants = listOf(source['anyOf'] ?? source['oneOf']).flatMap((one) =>
    isSchema(one) && 'const' in one ? [one['const']] : [],
  )
  return [...listOf(source['enum']), ...constants].filter((one) => typeof one === 'string')
}

export function propertyOf(schema: unknown, property: string): Schema | undefined {
  const properties = isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {}
  const found = properties[property]
  return isSchema(found) ? found : undefined
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isSchema(value)
  return typeof value === type
}

function within(size: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && size < least) && !(typeof most === 'number' && size > most)
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
