/** Whether a request can be taken at all; the caller's mistakes, not its program's. */
import {
  DUNDER_MEMBER,
  PORTABLE_RESERVED_WORDS,
  RESERVED_BINDING_GLOBALS,
  RESERVED_ERROR_MEMBERS,
} from '@deepseek-ai/dsh-code-runtime'
import { CodeError } from './error.ts'
import type { CodeLimits } from './limits.ts'
import type { CodeErrorClass, CodeRequest } from './request.ts'

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const FILE = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/** The run's limits. Throws `CodeError`. */
export function validate(request: CodeRequest, widest: CodeLimits): CodeLimits {
  const { file } = request
  if (file !== undefined && !FILE.test(file)) {
    throw invalid(`the file ${JSON.stringify(file)} is no name to show`)
  }
  checkNames(request)
  return narrowed(request.limits ?? {}, widest)
}

function checkNames({ namespaces, constants = {} }: CodeRequest): void {
  const taken = new Set<string>()
  const take = (name: string, what: string) => {
    checkName(name, what)
    if (taken.has(name)) throw invalid(`${what} '${name}' is bound twice`)
    taken.add(name)
  }
  for (const { global, errorClass } of namespaces) {
    take(global, 'the namespace')
    if (errorClass === undefined) continue
    take(errorClass.name, `the error class of '${global}'`)
    checkErrorMember(errorClass)
  }
  for (const name of Object.keys(constants)) take(name, 'the constant')
}

function checkName(name: string, what: string): void {
  if (!IDENTIFIER.test(name)) {
    throw invalid(`${what} '${name}' is no identifier of every language (letters, digits, _)`)
  }
  if (PORTABLE_RESERVED_WORDS.has(name)) throw invalid(`${what} '${name}' is a reserved word`)
  if (RESERVED_BINDING_GLOBALS.has(name)) throw invalid(`${what} '${name}' belongs to the runtime`)
}

function checkErrorMember({ name, memberNameProperty: property }: CodeErrorClass): void {
  if (property === '' || RESERVED_ERROR_MEMBERS.has(property) || DUNDER_MEMBER.test(property)) {
    throw invalid(`the error class '${name}' cannot name its member in '${property}'`)
  }
}

const NAMES = [
  'maxWallMs',
  'maxSourceBytes',
  'memoryLimitBytes',
  'maxStackBytes',
  'maxOutputBytes',
] as const satisfies readonly (keyof CodeLimits)[]

function narrowed(asked: Partial<CodeLimits>, widest: CodeLimits): CodeLimits {
  const limits = { ...widest }
  for (const name of NAMES) {
    const value = asked[name]
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalid(`${name} ${value} is no whole number`)
    if (value > widest[name])
      throw invalid(`${name} ${value} is over this runtime's ${widest[name]}`)
    limits[name] = value
  }
  return limits
}

function invalid(message: string): CodeError {
  return new CodeError('invalid-request', message)
}
