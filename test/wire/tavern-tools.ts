/** The tools of a character as a provider must receive them, whatever the protocol. */
import { expect } from 'vitest'

const description = expect.stringMatching(/\w/)
const text = { type: 'string', description }

export const tavernTools = [
  { name: 'leave', description, parameters: { type: 'object', properties: {} } },
  {
    name: 'whisper',
    description,
    parameters: {
      type: 'object',
      properties: { to: { type: 'array', items: { type: 'string' }, description }, text },
      required: ['to', 'text'],
    },
  },
  {
    name: 'world_get',
    description,
    parameters: { type: 'object', properties: { key: text }, required: ['key'] },
  },
  {
    name: 'world_set',
    description,
    parameters: {
      type: 'object',
      properties: {
        key: text,
        value: { description },
        expected_version: { type: 'integer', description },
      },
      required: ['key', 'value', 'expected_version'],
    },
  },
]
