/** Short texts of the scene that people read, in the scene's language. */
import type { Language } from 'dsh-tavern-protocol'

export interface SceneWords {
  readonly entrance: (name: string) => string
  readonly exit: (name: string) => string
}

export const sceneWords: Readonly<Record<Language, SceneWords>> = {
  en: { entrance: (name) => `${name} comes in.`, exit: (name) => `${name} leaves.` },
  zh: { entrance: (name) => `${name}走了进来。`, exit: (name) => `${name}离开了。` },
}
