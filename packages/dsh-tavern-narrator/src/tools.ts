/** The rows of preset `narrator`: its prompt, and the tools with which it directs. */
import type { Context } from '@deepseek-ai/cordis'
import type { JsonValue } from '@deepseek-ai/dsh-session'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { defineTool, type ToolRunContext } from '@deepseek-ai/dsh-tools'
import { characterParticipant } from 'dsh-tavern-protocol'
import type { Act } from './act.ts'
import { RUN_RULE } from './directing.ts'
import { NarratorError } from './error.ts'
import type { Narrator } from './narrator.ts'
import type {} from './narrators.ts'

export const name = 'tavern-narrator-tools'
export const inject = ['tools', 'systemPrompt', 'narrators']

export function apply(ctx: Context): void {
  ctx.effect(
    () =>
      ctx.systemPrompt.section({
        name: 'tavern:narrator',
        order: 0,
        complete: true,
        text: () => '{{tavern_narrator}}',
      }),
    'tavern-narrator.section',
  )
  ctx.effect(
    () =>
      ctx.systemPrompt.variable(
        'tavern_narrator',
        ({ agent }) => (agent && ctx.narrators.find(agent.session.id)?.prompt()) ?? '',
      ),
    'tavern-narrator.variable',
  )
  ctx.systemPrompt.suppressRuntimeContext()
  for (const tool of [cue(ctx), narrate(ctx), setScene(ctx), runRule(ctx), end(ctx)]) {
    ctx.effect(() => ctx.tools.register(tool), `tavern-narrator.${tool.name}`)
  }
}

function narratorOf(ctx: Context, exec: ToolRunContext): Narrator {
  const narrator = exec.agent && ctx.narrators.find(exec.agent.session.id)
  if (!narrator) throw new NarratorError('no-request', `${exec.name} works only in an open scene`)
  return narrator
}

/** The model sees that it was taken; the log keeps the act. */
const output = {
  schema: { type: 'json' },
  render: () => [{ type: 'text' as const, text: 'ok' }],
  presentationMeta: (_args: unknown, value: JsonValue) => ({ act: value }),
} as const

const TEXT_LIMIT = 4000
const WHY_LIMIT = 200

function cue(ctx: Context) {
  return defineTool({
    name: 'cue',
    description:
      'Let one character on stage act next. Call it once for each, in the order they act.',
    parameters: {
      character: {
        type: 'string',
        required: true,
        description: 'Its id, as in <character:id> after its name.',
      },
      why: {
        type: 'string',
        description: 'Your reason, in a few words, for the record: the character is not told.',
      },
    },
    output,
    async execute({ character, why }, exec) {
      const { run } = narratorOf(ctx, exec)
      const id = character.replace(/^<?(?:character:)?/, '').replace(/>$/, '')
      if (!run.stage.onStage.includes(id)) {
        const here = run.stage.onStage.map(characterParticipant).join(', ')
        throw new NarratorError('refused', `'${character}' is not on stage (on stage: ${here})`)
      }
      return taken({ kind: 'cue', character: id, why: bounded(why ?? '').slice(0, WHY_LIMIT) })
    },
  })
}

function narrate(ctx: Context) {
  return defineTool({
    name: 'narrate',
    description:
      'Narrate a short passage that everyone on stage perceives: never what only some of them may know.',
    parameters: { text: { type: 'string', required: true, description: 'One to four sentences.' } },
    output,
    async execute({ text }, exec) {
      narratorOf(ctx, exec)
      if (text.trim() === '') throw new NarratorError('refused', 'text must not be empty')
      return taken({ kind: 'narrate', text: bounded(text) })
    },
  })
}

function setScene(ctx: Context) {
  return defineTool({
    name: 'set_scene',
    description:
      'Say where and when the scene is now, or what its mood is. Give only what changes.',
    parameters: {
      place: { type: 'string', description: 'Where it is now.' },
      time: { type: 'string', description: 'When it is now.' },
      mood: { type: 'string', description: 'What is in the air.' },
    },
    output,
    async execute(args, exec) {
      narratorOf(ctx, exec)
      const given = Object.entries(args).filter(
        ([, value]) => value !== undefined && value.trim() !== '',
      )
      if (given.length === 0) throw new NarratorError('refused', 'give place, time or mood')
      return taken({
        kind: 'scene',
        ...Object.fromEntries(given.map(([key, value]) => [key, bounded(value)])),
      })
    },
  })
}

function runRule(ctx: Context) {
  return defineTool({
    name: RUN_RULE,
    description:
      'Run one of the rules of the scene, by its name in the list you were given. It rolls the dice and changes the world by itself; you see what came of it later.',
    parameters: {
      rule: { type: 'string', required: true, description: 'Its name.' },
      note: { type: 'string', description: 'What the rule should know, in a few words.' },
    },
    output,
    async execute({ rule, note }, exec) {
      const { rules } = narratorOf(ctx, exec).run.scene
      if (!Object.hasOwn(rules, rule)) {
        const known = Object.keys(rules).join(', ') || 'none'
        throw new NarratorError('refused', `the scene has no rule '${rule}' (rules: ${known})`)
      }
      return taken({ kind: 'rule', rule, note: bounded(note ?? '').slice(0, WHY_LIMIT) })
    },
  })
}

function end(ctx: Context) {
  return defineTool({
    name: 'end',
    description: 'The scene has answered; it waits for the person now.',
    parameters: {},
    output,
    async execute(_args, exec) {
      narratorOf(ctx, exec)
      exec.concludeTurn()
      return taken({ kind: 'end' })
    },
  })
}

function bounded(text: string): string {
  return text.trim().slice(0, TEXT_LIMIT)
}

/** The one place where our readonly act becomes the host's mutable JSON; the host copies it. */
function taken(act: Act): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host checks and copies it
  return { ...act } as JsonValue
}
