/** The English grammar: what is said around a card's own words. */
import { grammarOf } from './grammar.ts'
import { enAnswers } from './grammar-en-answers.ts'
import { enRemarks } from './grammar-en-remarks.ts'

export const grammarEn = grammarOf(enAnswers + enRemarks)
