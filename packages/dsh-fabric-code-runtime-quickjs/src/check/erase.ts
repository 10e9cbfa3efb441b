/**
 * Takes the types out of a program: blanks in their place, every other character where it was.
 * Where a blank would change how the text reads (a statement that runs on into the next line, a `)` cut
 * off from its `=>`), the blank carries the `;`, `(` or `)` that keeps it. Expects what `findSyntax` lets pass.
 */
import type TypeScript from 'typescript'
import { ts } from './typescript.ts'

const { SyntaxKind } = ts

interface Blank {
  readonly start: number
  readonly end: number
  readonly first?: ';' | '('
  readonly last?: ')'
}

export function eraseTypes(file: TypeScript.SourceFile): string {
  const eraser = new Eraser(file)
  eraser.visit(file)
  return applied(file.text, eraser.blanks)
}

const ERASED_MODIFIERS: ReadonlySet<TypeScript.SyntaxKind> = new Set([
  SyntaxKind.AbstractKeyword,
  SyntaxKind.OverrideKeyword,
  SyntaxKind.PrivateKeyword,
  SyntaxKind.ProtectedKeyword,
  SyntaxKind.PublicKeyword,
  SyntaxKind.ReadonlyKeyword,
])

class Eraser {
  readonly blanks: Blank[] = []
  readonly #file: TypeScript.SourceFile
  /** Ends of statements and fields that rely on the line's end: a blank that ends there becomes a `;`. */
  readonly #openEnds = new Set<number>()

  constructor(file: TypeScript.SourceFile) {
    this.#file = file
  }

  readonly visit = (node: TypeScript.Node): void => {
    if (LINE_ENDED.has(node.kind) && this.#file.text[node.end - 1] !== ';')
      this.#openEnds.add(node.end)
    if (isTypeOnly(node)) {
      this.#blank({ start: node.getStart(this.#file), end: node.end, first: ';' })
      return
    }
    this.#eraseOwn(node)
    ts.forEachChild(node, this.#visitValue)
  }

  /** Types were erased with their owner. */
  readonly #visitValue = (node: TypeScript.Node): void => {
    if (!ts.isTypeNode(node) || ts.isExpressionWithTypeArguments(node)) this.visit(node)
  }

  #eraseOwn(node: TypeScript.Node): void {
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      this.#blank({ start: node.expression.end, end: node.end })
    } else if (ts.isNonNullExpression(node)) {
      this.#blank({ start: node.end - 1, end: node.end })
    } else if (ts.isVariableDeclaration(node)) {
      this.#eraseMarks(node)
      this.#eraseAnnotation(node.type)
    } else if (ts.isPropertyDeclaration(node)) {
      this.#eraseModifiers(node)
      this.#eraseMarks(node)
      this.#eraseAnnotation(node.type)
    } else if (ts.isClassLike(node)) {
      this.#eraseClassHead(node)
    } else if (ts.isFunctionLike(node)) {
      this.#eraseSignature(node)
    } else if (isCallLike(node) && node.typeArguments !== undefined) {
      this.#blank(this.#angled(node.typeArguments))
    }
  }

  #eraseClassHead(node: TypeScript.ClassLikeDeclaration): void {
    for (const modifier of node.modifiers ?? []) {
      if (ERASED_MODIFIERS.has(modifier.kind)) this.#blankNode(modifier)
    }
    if (node.typeParameters !== undefined) this.#blank(this.#angled(node.typeParameters))
    for (const clause of node.heritageClauses ?? []) {
      if (clause.token === SyntaxKind.ImplementsKeyword) this.#blankNode(clause)
    }
  }

  #eraseSignature(node: TypeScript.SignatureDeclaration): void {
    if (ts.isClassElement(node)) this.#eraseModifiers(node)
    if (ts.isMethodDeclaration(node)) this.#eraseMarks(node)
    if (node.typeParameters !== undefined) this.#eraseTypeParameters(node, node.typeParameters)
    node.parameters.forEach((parameter) => this.#eraseParameter(parameter))
    if (node.type === undefined) return
    if (ts.isArrowFunction(node)) this.#eraseArrowResult(node, node.type)
    else this.#eraseAnnotation(node.type)
  }

  /** `return <T,⏎>(x) => x`: the `(` moves up, so that no line ends before it. */
  #eraseTypeParameters(
    node: TypeScript.SignatureDeclaration,
    parameters: TypeScript.NodeArray<TypeScript.TypeParameterDeclaration>,
  ): void {
    const blank = this.#angled(parameters)
    const open = node.parameters.pos - 1
    if (!this.#hasLineBreak(blank.start, open)) this.#blank(blank)
    else this.#blank({ start: blank.start, end: open + 1, first: '(' })
  }

  #eraseParameter(parameter: TypeScript.ParameterDeclaration): void {
    if (ts.isIdentifier(parameter.name) && parameter.name.text === 'this') {
      const next = this.#tokenFrom(parameter.end)
      const end = next.kind === SyntaxKind.CommaToken ? next.end : parameter.end
      this.#blank({ start: parameter.getStart(this.#file), end })
      return
    }
    this.#eraseMarks(parameter)
    this.#eraseAnnotation(parameter.type)
  }

  /** No line may end between `)` and `=>`: where the type spans lines, the `)` moves to its end. */
  #eraseArrowResult(node: TypeScript.ArrowFunction, type: TypeScript.TypeNode): void {
    const close = this.#tokenFrom(node.parameters.end)
    const arrow = node.equalsGreaterThanToken.getStart(this.#file)
    if (!this.#hasLineBreak(close.end, arrow)) this.#eraseAnnotation(type)
    else this.#blank({ start: close.start, end: type.end, last: ')' })
  }

  /** A field may follow a line that would run on into a `[` or `*`: the first blank ends that line. */
  #eraseModifiers(node: TypeScript.ClassElement): void {
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
    modifiers.forEach((modifier, index) => {
      if (!ERASED_MODIFIERS.has(modifier.kind)) return
      const blank = { start: modifier.getStart(this.#file), end: modifier.end }
      this.#blank(index === 0 ? { ...blank, first: ';' } : blank)
    })
  }

  /** `?` and `!` after a name. */
  #eraseMarks(node: {
    readonly questionToken?: TypeScript.QuestionToken | undefined
    readonly exclamationToken?: TypeScript.ExclamationToken | undefined
  }): void {
    if (node.questionToken !== undefined) this.#blankNode(node.questionToken)
    if (node.exclamationToken !== undefined) this.#blankNode(node.exclamationToken)
  }

  /** With the `:` before it. */
  #eraseAnnotation(type: TypeScript.TypeNode | undefined): void {
    if (type !== undefined) this.#blank({ start: type.pos - 1, end: type.end })
  }

  /** With `<` and `>` around. */
  #angled(list: TypeScript.NodeArray<TypeScript.Node>): Blank {
    return { start: list.pos - 1, end: this.#tokenFrom(list.end).end }
  }

  #blankNode(node: TypeScript.Node): void {
    this.#blank({ start: node.getStart(this.#file), end: node.end })
  }

  #blank(blank: Blank): void {
    const isOpen = blank.first === undefined && this.#openEnds.has(blank.end)
    this.blanks.push(isOpen ? { ...blank, first: ';' } : blank)
  }

  #tokenFrom(position: number): { kind: TypeScript.SyntaxKind; start: number; end: number } {
    const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true)
    scanner.setText(this.#file.text, position)
    const kind = scanner.scan()
    return { kind, start: scanner.getTokenStart(), end: scanner.getTokenEnd() }
  }

  #hasLineBreak(start: number, end: number): boolean {
    return LINE_BREAK.test(this.#file.text.slice(start, end))
  }
}

const LINE_BREAK = /[\n\r\u2028\u2029]/

const LINE_ENDED: ReadonlySet<TypeScript.SyntaxKind> = new Set([
  SyntaxKind.ExpressionStatement,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.ReturnStatement,
  SyntaxKind.ThrowStatement,
  SyntaxKind.VariableStatement,
])

/** Whole statements and class elements that have no value: an empty one stands in their place. */
function isTypeOnly(node: TypeScript.Node): boolean {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isIndexSignatureDeclaration(node)) return true
  if (ts.isPropertyDeclaration(node)) return hasModifier(node, PROMISED)
  if (ts.isFunctionDeclaration(node) || ts.isConstructorDeclaration(node)) {
    return node.body === undefined
  }
  const isMember = ts.isMethodDeclaration(node) || ts.isAccessor(node)
  return isMember && node.body === undefined
}

const PROMISED = [SyntaxKind.AbstractKeyword, SyntaxKind.DeclareKeyword]

function hasModifier(
  node: TypeScript.PropertyDeclaration,
  kinds: readonly TypeScript.SyntaxKind[],
): boolean {
  return node.modifiers?.some(({ kind }) => kinds.includes(kind)) ?? false
}

function isCallLike(
  node: TypeScript.Node,
): node is
  | TypeScript.CallExpression
  | TypeScript.NewExpression
  | TypeScript.TaggedTemplateExpression
  | TypeScript.ExpressionWithTypeArguments {
  return (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isExpressionWithTypeArguments(node)
  )
}

/** A blank inside another one (a type argument of an `implements`) is gone with it. */
function applied(text: string, blanks: readonly Blank[]): string {
  const parts: string[] = []
  let position = 0
  for (const blank of blanks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (blank.start < position) continue
    parts.push(text.slice(position, blank.start), blanked(text, blank))
    position = blank.end
  }
  parts.push(text.slice(position))
  return parts.join('')
}

function blanked(text: string, blank: Blank): string {
  const { start, end } = blank
  const first: string = blank.first ?? ''
  const last: string = blank.last ?? ''
  const inner = text.slice(start + first.length, end - last.length)
  return first + inner.replaceAll(/[^\n\r\u2028\u2029]/g, ' ') + last
}
