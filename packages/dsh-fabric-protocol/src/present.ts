/** Optional fields that hold nothing are absent, so a record survives JSON unchanged. */

/** The fields, or a copy without those that hold undefined. */
export function present<Fields extends object>(fields: Fields): Fields {
  const absent = Object.entries(fields).filter(([, value]) => value === undefined)
  if (absent.length === 0) return fields
  const copy = { ...fields }
  for (const [key] of absent) Reflect.deleteProperty(copy, key)
  return copy
}
