/** TypeScript's complaints as findings: those that tell of a fault, in few words, with what would be right. */
import type TypeScript from 'typescript'
import type { Finding } from './finding.ts'
import { nearest } from './nearest.ts'
import { ts } from './typescript.ts'
import type { Wrapped } from './wrapper.ts'

/** "Used before being assigned": it runs, with `undefined`. */
const UNASSIGNED = 2454
const NO_PROPERTY: ReadonlySet<number> = new Set([2339, 2551])
/** A key that does not fit its object: a complaint of `noImplicitAny`, but a name all the same. */
const NO_KEY = 7053
/** An argument of another type; of interest where it is one word of several. */
const WRONG_WORD = 2345
const NO_NAME = /^Cannot find name/
/** What a wrong argument is complained of with. */
const WRONG_ARGUMENT: ReadonlySet<number> = new Set([
  2322, 2345, 2353, 2554, 2559, 2561, 2739, 2740, 2741, 2769, 2820,
])

/** "Did you forget to use 'await'?", beside another complaint. */
const FORGOTTEN_AWAIT = 2773

const MAX_LINES = 3
const MAX_LINE = 320
const MAX_SHAPE = 600
const MAX_MESSAGE = 1_200
/** Of a name that does not exist. */
const MAX_NAME = 80

export interface Explaining {
  readonly wrapped: Wrapped
  readonly file: TypeScript.SourceFile
  readonly checker: TypeScript.TypeChecker
  readonly names: readonly string[]
}

export function explainSyntax(
  diagnostics: readonly TypeScript.Diagnostic[],
  wrapped: Wrapped,
): readonly Finding[] {
  const findings = diagnostics.map((each) => finding(each, wrapped, syntaxMessage(each, wrapped)))
  // Of several at one place the last says what was missing.
  return findings.filter(({ position }, index) => position !== findings[index + 1]?.position)
}

function syntaxMessage(diagnostic: TypeScript.Diagnostic, wrapped: Wrapped): string {
  const message = lines(diagnostic).join('\n')
  const isAtEnd = (diagnostic.start ?? 0) >= wrapped.end
  return isAtEnd ? `${message} The program ends before something it opened is closed.` : message
}

export function explain(
  diagnostics: readonly TypeScript.Diagnostic[],
  explaining: Explaining,
): readonly Finding[] {
  return diagnostics
    .filter((each) => isFault(each, explaining))
    .map((each) => finding(each, explaining.wrapped, messageOf(each, explaining)))
}

/** What is missing at the end is found in the wrapper behind it. */
function finding(diagnostic: TypeScript.Diagnostic, wrapped: Wrapped, message: string): Finding {
  const position = Math.min(Math.max(diagnostic.start ?? 0, wrapped.start), wrapped.end)
  const told = cut(message, MAX_MESSAGE)
  return { position: position - wrapped.start, code: diagnostic.code, message: told }
}

/** The sevens are the complaints of `noImplicitAny`, which is on for what it infers. */
function isFault(diagnostic: TypeScript.Diagnostic, explaining: Explaining): boolean {
  const { code, category } = diagnostic
  if (category !== ts.DiagnosticCategory.Error || code === UNASSIGNED) return false
  if (code === NO_KEY) return noKey(diagnostic, explaining) !== undefined
  if (code >= 7000 && code < 8000) return false
  return !isGrowingObject(diagnostic, explaining) && !isGrowingValue(diagnostic, explaining)
}

/** `{ found: [], best: null }`: TypeScript takes what is empty as empty for ever. */
function isGrowingValue(diagnostic: TypeScript.Diagnostic, explaining: Explaining): boolean {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  if (!/\bnever\b|to type 'null'\.$/.test(text)) return false
  return takes(diagnostic, explaining).length === 0
}

/** `const totals = {}; totals.sum = 1`: an object that began empty may have any property. */
function isGrowingObject(diagnostic: TypeScript.Diagnostic, explaining: Explaining): boolean {
  if (!NO_PROPERTY.has(diagnostic.code)) return false
  const access = accessAt(diagnostic, explaining)
  if (access === undefined) return false
  const { symbol } = explaining.checker.getTypeAtLocation(access.expression)
  const declaration = symbol?.declarations?.[0]
  if (declaration === undefined || declaration.getSourceFile() !== explaining.file) return false
  return ts.isObjectLiteralExpression(declaration) && declaration.properties.length === 0
}

function messageOf(diagnostic: TypeScript.Diagnostic, explaining: Explaining): string {
  const own =
    (NO_PROPERTY.has(diagnostic.code) ? noMember(diagnostic, explaining) : undefined) ??
    (diagnostic.code === NO_KEY ? noKey(diagnostic, explaining) : undefined) ??
    (isNoName(diagnostic) ? noName(diagnostic, explaining) : undefined) ??
    (diagnostic.code === WRONG_WORD ? noWord(diagnostic, explaining) : undefined)
  if (own !== undefined) return own
  const shape = WRONG_ARGUMENT.has(diagnostic.code) ? takes(diagnostic, explaining) : []
  const said = lines(diagnostic)
  // The first line repeats the shape, the last one names the cause.
  const told = shape.length > 0 && said.length > 1 ? said.slice(1) : said
  return [...told, ...shape, ...forgottenAwait(diagnostic)].join('\n')
}

function forgottenAwait({ relatedInformation = [] }: TypeScript.Diagnostic): readonly string[] {
  return relatedInformation.some(({ code }) => code === FORGOTTEN_AWAIT)
    ? ["Did you forget to use 'await'?"]
    : []
}

function noMember(diagnostic: TypeScript.Diagnostic, explaining: Explaining): string | undefined {
  const access = accessAt(diagnostic, explaining)
  return access === undefined
    ? undefined
    : notAmong(access.expression, access.name.text, explaining)
}

/** A key that is computed names nothing. */
function noKey(diagnostic: TypeScript.Diagnostic, explaining: Explaining): string | undefined {
  const access = nodeAt(diagnostic, explaining)
  if (access === undefined || !ts.isElementAccessExpression(access)) return undefined
  const key = explaining.checker.getTypeAtLocation(access.argumentExpression)
  return key.isStringLiteral() ? notAmong(access.expression, key.value, explaining) : undefined
}

function notAmong(
  owner: TypeScript.Expression,
  name: string,
  explaining: Explaining,
): string | undefined {
  if (!isBound(owner, explaining)) return undefined
  const members = explaining.checker.getTypeAtLocation(owner).getProperties()
  const names = members.map((member) => ts.unescapeLeadingUnderscores(member.escapedName))
  const close = offer(nearest(name, names))
  return `${owner.getText(explaining.file)} has no member '${cut(name, MAX_NAME)}'. ${close}`
}

function isNoName({ messageText }: TypeScript.Diagnostic): boolean {
  return typeof messageText === 'string' && NO_NAME.test(messageText)
}

function noName(diagnostic: TypeScript.Diagnostic, { wrapped, file, names }: Explaining): string {
  const start = diagnostic.start ?? wrapped.start
  const name = file.text.slice(start, start + (diagnostic.length ?? 0))
  const close = nearest(
    name,
    names.filter((each) => each !== 'JsonValue'),
  )
  return `Nothing is called '${cut(name, MAX_NAME)}' here. ${offer(close)}`
}

/** `world.get('hearth.lot')`, where the words that it takes are known. */
function noWord(diagnostic: TypeScript.Diagnostic, explaining: Explaining): string | undefined {
  const node = nodeAt(diagnostic, explaining)
  if (node === undefined || !ts.isStringLiteralLike(node)) return undefined
  const { checker } = explaining
  const wanted = checker.getContextualType(node)
  const type = wanted && (checker.getBaseConstraintOfType(wanted) ?? wanted)
  const words = type?.isUnion() === true ? type.types : [type]
  const names = words.flatMap((word) => (word?.isStringLiteral() === true ? [word.value] : []))
  if (names.length === 0 || names.length < words.length) return undefined
  return `'${cut(node.text, MAX_NAME)}' is none of what it takes. ${offer(nearest(node.text, names))}`
}

function offer(names: readonly string[]): string {
  return names.length === 0 ? 'Nothing is bound.' : `There is: ${names.join(', ')}.`
}

/** The shape of the argument that the call around it takes. */
function takes(diagnostic: TypeScript.Diagnostic, explaining: Explaining): readonly string[] {
  const { checker, file } = explaining
  const call = callAround(nodeAt(diagnostic, explaining))
  if (call === undefined || !ts.isCallExpression(call)) return []
  const callee = call.expression
  const isMember = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee)
  if (!isMember || !isBound(callee.expression, explaining)) return []
  const parameter = checker.getTypeAtLocation(callee).getCallSignatures()[0]?.parameters[0]
  if (parameter === undefined) return []
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, callee))
  const shape = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
  return [`${callee.getText(file)} takes one argument: ${cut(seen(shape), MAX_SHAPE)}`]
}

function callAround(node: TypeScript.Node | undefined): TypeScript.Node | undefined {
  let around = node
  while (around !== undefined && !ts.isCallExpression(around)) {
    if (ts.isFunctionLike(around) || ts.isStatement(around)) return undefined
    around = around.parent
  }
  return around
}

/** The types of namespaces have names that no program can write. */
function isBound(node: TypeScript.Expression, { checker }: Explaining): boolean {
  return checker.getTypeAtLocation(node).symbol?.getName().startsWith('$$') ?? false
}

function accessAt(
  diagnostic: TypeScript.Diagnostic,
  explaining: Explaining,
): TypeScript.PropertyAccessExpression | undefined {
  const parent = nodeAt(diagnostic, explaining)?.parent
  return parent !== undefined && ts.isPropertyAccessExpression(parent) ? parent : undefined
}

/** The innermost node that holds all that the diagnostic points at. */
function nodeAt(
  { start = 0, length = 0 }: TypeScript.Diagnostic,
  { file }: Explaining,
): TypeScript.Node | undefined {
  const find = (node: TypeScript.Node): TypeScript.Node | undefined => {
    if (node.getStart(file) > start || node.end < start + length) return undefined
    return ts.forEachChild(node, find) ?? node
  }
  return find(file)
}

/** The complaint, and the end of its chain, which tells the cause. */
function lines({ messageText }: TypeScript.Diagnostic): readonly string[] {
  const whole = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')
  const symbol = whole.findIndex((line) => line.includes("'[Symbol."))
  const all = symbol < 0 ? whole : [`${whole[0] ?? ''} JSON would lose it.`]
  const kept = all.length <= MAX_LINES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_LINES)]
  return kept.map((line) => cut(seen(line.trim()), MAX_LINE))
}

/** Names as the author knows them. */
function seen(text: string): string {
  return text
    .replaceAll('$$JsonInput', 'JsonValue')
    .replaceAll('$$JsonObject', '{ [key: string]: JsonValue }')
    .replaceAll(/(?:\$\$(?:in|out)\.)?\$\$(?=\w)/g, '')
    .replaceAll(/\?: ([^;{}|]+(?: \| [^;{}|]+)*) \| undefined;/g, '?: $1;')
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`
}
