/** Ends a closed switch: a new union member becomes a type error at the switch. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`)
}
