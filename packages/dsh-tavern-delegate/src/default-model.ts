/** A scene chosen as a seat's model must not become the home's default model: characters, and every new session, use that. */
import type AgentDefaultModel from '@deepseek-ai/dsh-agent-default-model'
import { stageProvider } from 'dsh-tavern-scene'

/** The host saves each choice of a model as the default; from now on scenes are left out. Returns the undo. */
export function keepDefaultModel(defaults: AgentDefaultModel): () => void {
  const save = defaults.saveSelection.bind(defaults)
  defaults.saveSelection = async (selection) => {
    if (selection.provider !== stageProvider) await save(selection)
  }
  return () => {
    Reflect.deleteProperty(defaults, 'saveSelection')
  }
}
