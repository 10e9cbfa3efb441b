/**
 * What is no plain program with types: syntax that has a value of its own beyond JavaScript, that reaches outside,
 * or whose types cannot be blanked without changing what remains. Each is refused by name.
 */
import type TypeScript from 'typescript'
import type { Finding } from './finding.ts'
import { ts } from './typescript.ts'

const { SyntaxKind } = ts

/** TypeScript's "not allowed when 'erasableSyntaxOnly' is enabled". */
const NOT_ERASABLE = 1294

export function findSyntax(file: TypeScript.SourceFile, body: TypeScript.Node): readonly Finding[] {
  const findings: Finding[] = []
  const visit = (node: TypeScript.Node): void => {
    const message = refusal(node)
    if (message !== undefined) {
      findings.push({ position: node.getStart(file), code: NOT_ERASABLE, message })
      return
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return findings
}

function refusal(node: TypeScript.Node): string | undefined {
  return refusedStatement(node) ?? refusedMember(node) ?? refusedExpression(node)
}

const NOTHING_TO_IMPORT = 'There is nothing to import: use what is bound to the program.'
const NOTHING_TO_EXPORT =
  'A program exports nothing: it is the body of an async function, use `return`.'

function refusedStatement(node: TypeScript.Node): string | undefined {
  if (ts.isEnumDeclaration(node)) {
    return 'An enum is not erasable syntax: use a constant object or a union of strings.'
  }
  if (ts.isModuleDeclaration(node)) {
    return 'A namespace is not erasable syntax: use an object, or plain functions.'
  }
  if (ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node)) return NOTHING_TO_IMPORT
  if (ts.isExportDeclaration(node) || ts.isExportAssignment(node)) return NOTHING_TO_EXPORT
  return refusedModifier(node)
}

function refusedModifier(node: TypeScript.Node): string | undefined {
  if (!ts.canHaveModifiers(node)) return undefined
  const kinds = new Set(ts.getModifiers(node)?.map(({ kind }) => kind))
  if (kinds.has(SyntaxKind.ExportKeyword)) return NOTHING_TO_EXPORT
  if (kinds.has(SyntaxKind.DeclareKeyword) && ts.isStatement(node)) {
    return '`declare` brings nothing into being here: use what is bound to the program.'
  }
  return undefined
}

function refusedMember(node: TypeScript.Node): string | undefined {
  if (ts.isDecorator(node)) return 'A decorator is not supported: call the function yourself.'
  if (node.kind === SyntaxKind.AccessorKeyword) {
    return '`accessor` is not supported: write the getter and the setter.'
  }
  if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) {
    return 'A parameter property is not erasable syntax: declare the field and assign it in the constructor.'
  }
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Using) !== 0) {
    return '`using` is not supported: use `try` and `finally`.'
  }
  return undefined
}

function refusedExpression(node: TypeScript.Node): string | undefined {
  if (node.kind === SyntaxKind.ImportKeyword || ts.isMetaProperty(node)) {
    return ts.isMetaProperty(node) && node.keywordToken === SyntaxKind.NewKeyword
      ? undefined
      : NOTHING_TO_IMPORT
  }
  if (ts.isTypeAssertionExpression(node)) {
    return 'A type assertion in angle brackets is not erasable syntax: use `as`.'
  }
  return ts.isBinaryExpression(node) ? refusedGrouping(node) : undefined
}

/** Without its type, `1 + 1 as number / 2` would be `1 + 1 / 2`. */
function refusedGrouping(node: TypeScript.BinaryExpression): string | undefined {
  const operator = node.operatorToken.kind
  const left = withoutTypes(node.left)
  const right = withoutTypes(node.right)
  const isTyped = left !== node.left || right !== node.right
  if (mixes(operator, left) || mixes(operator, right)) {
    return '`??` cannot be mixed with `||` or `&&` without parentheses.'
  }
  const regroups = left !== node.left && !holdsTogether(left, operator)
  return isTyped && regroups
    ? 'Put the expression before `as` or `satisfies` in parentheses: it would read otherwise without its type.'
    : undefined
}

function withoutTypes(node: TypeScript.Expression): TypeScript.Expression {
  let inner = node
  while (ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner)) inner = inner.expression
  return inner
}

function mixes(operator: TypeScript.SyntaxKind, operand: TypeScript.Expression): boolean {
  if (!ts.isBinaryExpression(operand)) return false
  const inner = operand.operatorToken.kind
  return (isNullish(operator) && isLogical(inner)) || (isLogical(operator) && isNullish(inner))
}

function isNullish(operator: TypeScript.SyntaxKind): boolean {
  return operator === SyntaxKind.QuestionQuestionToken
}

function isLogical(operator: TypeScript.SyntaxKind): boolean {
  return operator === SyntaxKind.BarBarToken || operator === SyntaxKind.AmpersandAmpersandToken
}

function holdsTogether(left: TypeScript.Expression, operator: TypeScript.SyntaxKind): boolean {
  if (operator === SyntaxKind.AsteriskAsteriskToken) {
    return !ts.isBinaryExpression(left) && !isUnary(left)
  }
  if (!ts.isBinaryExpression(left)) return true
  return precedence(left.operatorToken.kind) >= precedence(operator)
}

function isUnary(node: TypeScript.Expression): boolean {
  return (
    ts.isPrefixUnaryExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isTypeOfExpression(node) ||
    ts.isVoidExpression(node) ||
    ts.isDeleteExpression(node)
  )
}

const LEVELS: readonly (readonly TypeScript.SyntaxKind[])[] = [
  [SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken],
  [SyntaxKind.AmpersandAmpersandToken],
  [SyntaxKind.BarToken],
  [SyntaxKind.CaretToken],
  [SyntaxKind.AmpersandToken],
  [
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
  ],
  [
    SyntaxKind.LessThanToken,
    SyntaxKind.LessThanEqualsToken,
    SyntaxKind.GreaterThanToken,
    SyntaxKind.GreaterThanEqualsToken,
    SyntaxKind.InKeyword,
    SyntaxKind.InstanceOfKeyword,
  ],
  [
    SyntaxKind.LessThanLessThanToken,
    SyntaxKind.GreaterThanGreaterThanToken,
    SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
  ],
  [SyntaxKind.PlusToken, SyntaxKind.MinusToken],
  [SyntaxKind.AsteriskToken, SyntaxKind.SlashToken, SyntaxKind.PercentToken],
  [SyntaxKind.AsteriskAsteriskToken],
]

/** -1 for assignments and the comma, which bind less than all others. */
function precedence(operator: TypeScript.SyntaxKind): number {
  return LEVELS.findIndex((level) => level.includes(operator))
}
