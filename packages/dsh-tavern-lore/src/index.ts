/** A character's own small lore: which entries of its card's book come to mind. */
export {
  activateLore,
  type ActiveEntry,
  type LoreActivation,
  type LoreRequest,
} from './activate-lore.ts'
export { checkLore, type LoreWarning } from './check-lore.ts'
export * from './limits.ts'
