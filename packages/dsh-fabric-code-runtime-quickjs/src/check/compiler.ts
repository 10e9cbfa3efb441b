/**
 * TypeScript kept warm: the libraries are parsed and bound once, declarations once for each distinct text,
 * and every check makes a new program of them and one new file. Lives in the checker's own thread.
 */
import type TypeScript from 'typescript'
import type { Checked, Checking } from '../checking.ts'
import { eraseTypes } from './erase.ts'
import type { Finding } from './finding.ts'
import { LeastRecent } from './least-recent.ts'
import { readLibrary } from './library.ts'
import { explain } from './explain.ts'
import { place } from './place.ts'
import { findSyntax } from './syntax.ts'
import { libraryFolder, ts } from './typescript.ts'
import { BOUND_MODULE, wrap, type Wrapped } from './wrapper.ts'

const LIBRARY_FILE = '/library.d.ts'
/** Begins the names that declarations keep for themselves. */
const UNSEEN = '$$'
const BOUND_FILE = '/bound.d.ts'
const PROGRAM_FILE = '/program.ts'

/** Declarations texts kept parsed: a preset has one, a scene's rules another. */
const KEPT_DECLARATIONS = 16

const OPTIONS: TypeScript.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noLib: true,
  types: [],
  noEmit: true,
  skipLibCheck: true,
  strict: false,
  strictNullChecks: true,
  // On for what it infers (`const found = []` grows its type); its complaints are dropped: see `explain`.
  noImplicitAny: true,
  useUnknownInCatchVariables: false,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
}

const PARSING: TypeScript.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ES2024,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

interface Bound {
  readonly file: TypeScript.SourceFile
  readonly names: readonly string[]
}

export class Compiler {
  readonly #library = parse(LIBRARY_FILE, readLibrary(libraryFolder))
  readonly #bound = new LeastRecent<string, Bound>(KEPT_DECLARATIONS)

  check({ program, declarations }: Checking): Checked {
    const bound = this.#boundBy(declarations)
    const wrapped = wrap(program, bound.names)
    const file = withoutDirectives(parse(PROGRAM_FILE, wrapped.text))
    const findings = this.#findings(bound, file, wrapped)
    if (findings.length > 0) return { status: 'refused', diagnostics: place(program, findings) }
    const javascript = eraseTypes(file).slice(wrapped.start, wrapped.end)
    return { status: 'clean', javascript }
  }

  #findings(bound: Bound, file: TypeScript.SourceFile, wrapped: Wrapped): readonly Finding[] {
    const program = ts.createProgram({
      rootNames: [LIBRARY_FILE, BOUND_FILE, PROGRAM_FILE],
      options: OPTIONS,
      host: hostOf(new Map([this.#library, bound.file, file].map((each) => [each.fileName, each]))),
    })
    const syntactic = program.getSyntacticDiagnostics(file)
    const body = bodyOf(file, wrapped)
    if (typeof body === 'number' && body < wrapped.end) return [unbalanced(body - wrapped.start)]
    if (typeof body === 'number' || syntactic.length > 0) return explain(syntactic, wrapped)
    const refused = findSyntax(file, body)
    if (refused.length > 0) return refused.map((finding) => inside(finding, wrapped))
    return explain(program.getSemanticDiagnostics(file), wrapped)
  }

  #boundBy(declarations: string): Bound {
    const known = this.#bound.find(declarations)
    if (known !== undefined) return known
    const file = parse(BOUND_FILE, `${declarations}\nexport type ${UNSEEN} = never`)
    const bound = { file, names: namesOf(file) }
    this.#bound.keep(declarations, bound)
    return bound
  }
}

function parse(name: string, text: string): TypeScript.SourceFile {
  return ts.createSourceFile(name, text, PARSING, true, ts.ScriptKind.TS)
}

/** The one point that reaches into a source file: `@ts-ignore` would hide an unknown member. */
function withoutDirectives(file: TypeScript.SourceFile): TypeScript.SourceFile {
  return Object.assign(file, { commentDirectives: undefined, checkJsDirective: undefined })
}

/** A declaration file with one exported name exports all. */
function namesOf(file: TypeScript.SourceFile): readonly string[] {
  const names = file.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(file))
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isModuleDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    return isNamed && statement.name !== undefined ? [statement.name.text] : []
  })
  return [...new Set(names)].filter((name) => !name.startsWith(UNSEEN))
}

/** There is no file system, and one module to find. */
function hostOf(files: ReadonlyMap<string, TypeScript.SourceFile>): TypeScript.CompilerHost {
  return {
    getSourceFile: (name) => files.get(name),
    fileExists: (name) => files.has(name),
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => LIBRARY_FILE,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    resolveModuleNameLiterals: (literals) =>
      literals.map(({ text }) => ({ resolvedModule: text === BOUND_MODULE ? BOUND : undefined })),
  }
}

const BOUND: TypeScript.ResolvedModuleFull = {
  resolvedFileName: BOUND_FILE,
  extension: ts.Extension.Dts,
  isExternalLibraryImport: false,
}

/** The program's own block, or where it ends before the program does. */
function bodyOf(file: TypeScript.SourceFile, { end }: Wrapped): TypeScript.Block | number {
  const find = (node: TypeScript.Node): TypeScript.FunctionExpression | undefined =>
    ts.isFunctionExpression(node) ? node : ts.forEachChild(node, find)
  const body = find(file)?.body
  if (body === undefined) return end
  const closing = end + 1
  return body.end === closing + 1 && file.statements.length === 2 ? body : body.end - 1
}

function unbalanced(position: number): Finding {
  return { position, code: 1128, message: 'This `}` closes nothing that the program opened.' }
}

function inside(finding: Finding, { start }: Wrapped): Finding {
  return { ...finding, position: finding.position - start }
}
