/** `run_code` as the model sees it: only `code` is required. */
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { CODE_DESCRIPTION, RUN_CODE_DESCRIPTION, TITLE_DESCRIPTION } from './guidance.ts'

export function withOneArgument(tool: ToolSchema): ToolSchema {
  if (tool.name !== RUN_CODE_NAME) return tool
  return {
    name: tool.name,
    description: RUN_CODE_DESCRIPTION,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: CODE_DESCRIPTION },
        description: { type: 'string', description: TITLE_DESCRIPTION },
      },
      required: ['code'],
    },
  }
}
