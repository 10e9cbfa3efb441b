/**
 * An answer that is one of several shapes, told by a word in it: a program that knows which it asked for may take what
 * only that one has, without asking. Each shape gets what the others have, as anything; what none has stays unknown.
 */
import type { JsonSchema } from '../json.ts'

export function openChoices(schema: JsonSchema): JsonSchema {
  const parts = Object.entries(schema).map(([key, value]) => [key, opened(key, value)] as const)
  const copy: JsonSchema = Object.fromEntries(parts)
  const choices = copy['oneOf']
  if (!Array.isArray(choices)) return copy
  const shapes: readonly JsonSchema[] = choices.filter(isSchema)
  const names = new Set(shapes.flatMap((shape) => Object.keys(propertiesOf(shape))))
  return {
    ...copy,
    oneOf: choices.map((choice) => (isSchema(choice) ? withAll(choice, names) : choice)),
  }
}

function opened(key: string, value: unknown): unknown {
  if (key === 'oneOf' && Array.isArray(value)) {
    return value.map((choice) => (isSchema(choice) ? openChoices(choice) : choice))
  }
  if (key === 'items' && isSchema(value)) return openChoices(value)
  if (key !== 'properties' || !isSchema(value)) return value
  const properties = Object.entries(value)
  return Object.fromEntries(
    properties.map(([name, part]) => [name, isSchema(part) ? openChoices(part) : part]),
  )
}

function withAll(shape: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  if (shape['type'] !== 'object') return shape
  const own = propertiesOf(shape)
  const others = [...names].filter((name) => !Object.hasOwn(own, name)).toSorted()
  const added = Object.fromEntries(others.map((name) => [name, {}]))
  return { ...shape, properties: { ...own, ...added } }
}

function propertiesOf(shape: JsonSchema): JsonSchema {
  const properties = shape['properties']
  return isSchema(properties) ? properties : {}
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
