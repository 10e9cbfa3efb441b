/** The Chinese grammar: what is said around a card's own words. */
import { grammarOf } from './grammar.ts'
import { zhAnswers } from './grammar-zh-answers.ts'
import { zhRemarks } from './grammar-zh-remarks.ts'

export const grammarZh = grammarOf(zhAnswers + zhRemarks)
