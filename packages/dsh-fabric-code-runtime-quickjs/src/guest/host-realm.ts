/** What the host's engine knows of a value without running any code of it. */
import { types } from 'node:util'
import type { EncoderRealm } from '../crossing/encoder.ts'

export const hostRealm: EncoderRealm = {
  isPlain: (value) => classOf(value) === 'Object',
  classOf,
}

function classOf(value: object): string {
  if (types.isProxy(value)) return 'Proxy'
  if (types.isDate(value)) return 'Date'
  if (types.isMap(value)) return 'Map'
  if (types.isSet(value)) return 'Set'
  if (types.isPromise(value)) return 'Promise'
  if (types.isNativeError(value)) return 'Error'
  if (types.isRegExp(value)) return 'RegExp'
  if (ArrayBuffer.isView(value)) return 'an array of bytes'
  return 'Object'
}
