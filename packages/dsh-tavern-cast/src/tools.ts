/** The tools of a character on stage: they read the world and stage what it does with its cue. */
import type { Context } from '@deepseek-ai/cordis'
import { defineTool, type ToolRunContext } from '@deepseek-ai/dsh-tools'
import type { JsonValue } from '@deepseek-ai/dsh-session'
import { jsonValue } from 'dsh-fabric-protocol'
import type { Effect } from 'dsh-tavern-protocol'
import type {} from './cast.ts'
import { CastError } from './error.ts'
import type { Staging } from './staging.ts'

export const name = 'tavern-tools'
export const inject = ['tools', 'cast']

/** What a tool's result leaves in the log for the beat; the key under which it is found again. */
export interface StagedMeta {
  readonly effect: Effect
}

export function apply(ctx: Context): void {
  for (const tool of [worldGet(ctx), worldSet(ctx), whisper(ctx), leave(ctx)]) {
    ctx.effect(() => ctx.tools.register(tool), `tavern-tools.${tool.name}`)
  }
}

function stagingOf(ctx: Context, exec: ToolRunContext): Staging {
  const staging = exec.agent && ctx.cast.stagingOf(exec.agent.session.id)
  if (!staging) throw new CastError('no-cue', `${exec.name} works only while you have a cue`)
  return staging
}

function text(value: JsonValue): { readonly type: 'text'; readonly text: string }[] {
  return [{ type: 'text', text: JSON.stringify(value) }]
}

const anyJson = { type: 'json' } as const

/** The model sees what came of it; the log keeps the effect for the beat. */
const stagedOutput = {
  schema: anyJson,
  render: (_args: unknown, value: JsonValue) => text(shownOf(value)),
  presentationMeta: (_args: unknown, value: JsonValue) => metaOf(value),
}
/** UTF-8 bytes: with a run's prefix it is a key of the mesh. */
const KEY_BYTES = 160
/** UTF-8 bytes of its JSON. */
const VALUE_BYTES = 4096
const TEXT_LIMIT = 4000

function worldGet(ctx: Context) {
  return defineTool({
    name: 'world_get',
    description:
      'Look at one thing in the world. Returns its value and version, or null when you know of no such thing.',
    parameters: {
      key: { type: 'string', required: true, description: 'Its name under [World] or [世界].' },
    },
    output: { schema: anyJson, render: (_args: unknown, value: JsonValue) => text(value) },
    isConcurrencySafe: () => true,
    async execute({ key }, exec) {
      return hostJson((await stagingOf(ctx, exec).get(key)) ?? null)
    },
  })
}

function worldSet(ctx: Context) {
  return defineTool({
    name: 'world_set',
    description:
      'Change one thing in the world. It happens together with what you say. If someone changed it since, you are told what it is now.',
    parameters: {
      key: {
        type: 'string',
        required: true,
        description: 'Its name; a new one makes a new thing.',
      },
      value: { type: 'json', required: true, description: 'What it becomes.' },
      expected_version: {
        type: 'integer',
        required: true,
        description: 'The version you saw; 0 for a new thing.',
      },
    },
    output: stagedOutput,
    async execute({ key, value, expected_version }, exec) {
      requireBytes('key', key, KEY_BYTES)
      requireBytes('value', JSON.stringify(value), VALUE_BYTES)
      const result = await stagingOf(ctx, exec).set(key, jsonValue.parse(value), expected_version)
      return hostJson(
        result.status === 'conflict' ? { ...result, current: result.current ?? null } : result,
      )
    },
  })
}

function whisper(ctx: Context) {
  return defineTool({
    name: 'whisper',
    description:
      'Say something only to some of those present; nobody else hears it. Others still hear what you say aloud.',
    parameters: {
      to: {
        type: 'array',
        required: true,
        items: { type: 'string' },
        description: 'Ids of those present, as in <…> after their names.',
      },
      text: { type: 'string', required: true, description: 'What you whisper.' },
    },
    output: stagedOutput,
    async execute({ to, text: words }, exec) {
      const staging = stagingOf(ctx, exec)
      if (to.length === 0)
        throw new CastError('refused', 'whisper to at least one of those present')
      if (words.trim() === '' || words.length > TEXT_LIMIT) {
        throw new CastError(
          'refused',
          `text must be 1 to ${TEXT_LIMIT} characters, found ${words.length}`,
        )
      }
      const effect: Effect = { kind: 'whisper', to: [...staging.hearers(to)], text: words.trim() }
      return hostJson({ status: 'staged', effect })
    },
  })
}

function leave(ctx: Context) {
  return defineTool({
    name: 'leave',
    description: 'Leave the scene after what you say now.',
    parameters: {},
    output: stagedOutput,
    async execute(_args, exec) {
      stagingOf(ctx, exec)
      return { status: 'staged', effect: { kind: 'leave' } }
    },
  })
}

function requireBytes(what: string, given: string, limit: number): void {
  const bytes = Buffer.byteLength(given)
  if (given.trim() !== '' && bytes <= limit) return
  throw new CastError('refused', `${what} must have 1 to ${limit} bytes, found ${bytes}`)
}

function shownOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || !('status' in value)) return value
  const { effect: _effect, ...shown } = value as Readonly<Record<string, JsonValue>>
  return shown
}

function metaOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || !('effect' in value)) return null
  return { effect: (value as Readonly<Record<string, JsonValue>>)['effect'] ?? null }
}

/** The one place where our readonly JSON becomes the host's mutable type; the host copies it. */
function hostJson(value: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host checks and copies it
  return value as JsonValue
}
