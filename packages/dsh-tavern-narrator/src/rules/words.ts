/** What people read of rules, in the scene's language. */
import type { Language, RuleName } from 'dsh-tavern-protocol'
import type { RuleRoll } from './decision.ts'

export interface RuleWords {
  readonly failed: (rule: RuleName, where: string, found: string) => string
  readonly rests: string
  readonly roll: (roll: RuleRoll) => string
}

export const ruleWords: Readonly<Record<Language, RuleWords>> = {
  en: {
    failed: (rule, where, found) => `The rule '${rule}' failed. ${where}: ${found}`,
    rests: 'It failed three times in a row, and rests until the scene is opened again.',
    roll: ({ label, dice, total, faces }) =>
      `${label === '' ? '' : `${label}: `}${dice} = ${total}${shown(faces, ', ')}`,
  },
  zh: {
    failed: (rule, where, found) => `规则“${rule}”出了错。${where}：${found}`,
    rests: '它连续三次出错，在场景重新打开之前不再运行。',
    roll: ({ label, dice, total, faces }) =>
      `${label === '' ? '' : `${label}：`}${dice} = ${total}${shown(faces, '、')}`,
  },
}

/** Where the total does not say it. */
function shown(faces: readonly number[], comma: string): string {
  return faces.length > 1
    ? ` (${faces.slice(0, 20).join(comma)}${faces.length > 20 ? '…' : ''})`
    : ''
}
