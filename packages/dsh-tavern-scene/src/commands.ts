/** The slash commands of a seat, the same in DSH and in the terminal: parsed and carried out here. */
import {
  characterOf,
  narratorId,
  type PlacedBeat,
  type RequestOutcome,
  requestOutcome,
} from 'dsh-tavern-protocol'
import { findCharacter } from './character-names.ts'
import { SceneError } from './error.ts'
import { hostedBy } from './hosted-by.ts'
import type { OpenScene, Submitted } from './open-scene.ts'
import type { Speaker } from './request.ts'
import { turnOptions } from './turn-options.ts'

export interface CommandResult {
  readonly kind: 'success' | 'error'
  /** What to show; for a turn that was played, what was said. */
  readonly text: string
  /** The person leaves the scene. */
  readonly leaves?: true
  /** How `/auto` ended. */
  readonly ended?: Pick<RequestOutcome, 'status' | 'cap'>
  /** A character failed: who watches its cues was told. */
  readonly told?: true
}

export interface SceneCommand {
  readonly name: string
  readonly description: string
  readonly hint: string
  /** Does not wait for what is being answered: an answer may be waiting for it. */
  readonly atOnce?: true
  /** Changes nothing: asked for while an answer is waited for, it shows how things stand now. */
  readonly looks?: true
  run(call: CommandCall): Promise<CommandResult>
}

export interface CommandCall {
  readonly scene: OpenScene
  readonly speaker: Speaker
  /** All after the command's name. */
  readonly rest: string
  readonly signal?: AbortSignal
  /** Whoever watches the topic sees what was said already. */
  readonly watching?: boolean
}

export const sceneCommands: readonly SceneCommand[] = [
  {
    name: 'delegate',
    description: 'Hand the next turn to a character',
    hint: '<character> [--provider P --model M] [direction]',
    run: delegate,
  },
  {
    name: 'whisper',
    description: 'Say something to one character alone',
    hint: '<character> <text>',
    run: whisper,
  },
  {
    name: 'cast',
    description: 'Who belongs to the scene, who is on stage, and who hosts whom',
    hint: '',
    looks: true,
    run: cast,
  },
  {
    name: 'world',
    description: 'What everyone knows of the world',
    hint: '',
    looks: true,
    run: world,
  },
  {
    name: 'auto',
    description: 'Let the scene play on for so many beats: all that is said or happens',
    hint: '[beats]',
    run: auto,
  },
  { name: 'enter', description: 'Bring a character on stage', hint: '<character>', run: enter },
  {
    name: 'rule',
    description: 'Run one of the rules of the scene; without a name, which there are',
    hint: '[name] [note]',
    run: rule,
  },
  {
    name: 'leave',
    description: 'Leave the scene, or take a character off the stage',
    hint: '[character]',
    run: leave,
  },
  {
    name: 'move',
    description: 'Give a character, or the narrator, to another host',
    hint: '<character|narrator> <host>',
    atOnce: true,
    run: move,
  },
]

/** True for a command that is carried out as soon as it is typed. */
export function actsAtOnce(line: string): boolean {
  return commandOf(line)?.atOnce ?? false
}

/** True for a command that only shows how things stand. */
export function onlyLooks(line: string): boolean {
  return commandOf(line)?.looks ?? false
}

function commandOf(line: string): SceneCommand | undefined {
  const [, name] = /^\/(\S+)/.exec(line.trim()) ?? []
  return sceneCommands.find((known) => known.name === name)
}

/** Runs `/name rest`; undefined when no command has that name. */
export async function runCommand(
  line: string,
  call: Omit<CommandCall, 'rest'>,
): Promise<CommandResult | undefined> {
  const [, name, rest] = /^\/(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  const command = sceneCommands.find((known) => known.name === name)
  if (!command || rest === undefined) return undefined
  try {
    return await command.run({ ...call, rest: rest.trim() })
  } catch (error) {
    if (error instanceof SceneError) return { kind: 'error', text: error.message }
    throw error
  }
}

async function delegate(call: CommandCall): Promise<CommandResult> {
  const { scene, speaker, rest } = call
  requireSome(rest, 'delegate')
  const { character, rest: tail } = findCharacter(scene.cast, rest)
  const { route, instruction } = turnOptions(tail)
  const asked = instruction === '' ? {} : { instruction }
  return await played(call, await scene.delegate(speaker, { actor: character, route, ...asked }))
}

async function whisper(call: CommandCall): Promise<CommandResult> {
  const { scene, speaker, rest } = call
  requireSome(rest, 'whisper')
  const { character, rest: text } = findCharacter(scene.cast, rest)
  if (text === '') {
    throw new SceneError('invalid-line', '/whisper <character> <text>: there is no text')
  }
  const id = await scene.nextId('whisper')
  return await played(call, await scene.submit(speaker, { id, text, to: [character] }))
}

async function rule(call: CommandCall): Promise<CommandResult> {
  const { scene, speaker, rest } = call
  const [, name = '', note] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? []
  if (name === '') return { kind: 'success', text: rulesText(scene) }
  return await played(call, await scene.runRule(speaker, name, note))
}

function rulesText({ run }: OpenScene): string {
  const rules = Object.entries(run.scene.rules)
  const lines = rules.map(([name, { about }]) => (about ? `${name}: ${about}` : name))
  return lines.join('\n') || 'The scene has no rules.'
}

async function cast({ scene, signal }: CommandCall): Promise<CommandResult> {
  await scene.roles?.known(signal)
  const { run } = scene
  const lines = run.scene.cast.map(({ character, muted }) => {
    const { name } = scene.cast.profileOf(character)
    const where = run.stage.onStage.includes(character) ? 'on stage' : 'away'
    return `${name} (${character}): ${where}${muted ? ', muted' : ''}${hostText(scene, character)}`
  })
  if (scene.roles) lines.push(`narrator${hostText(scene, narratorId)}`)
  return { kind: 'success', text: lines.join('\n') }
}

/** '' where one home hosts all. */
function hostText({ roles }: OpenScene, role: string): string {
  if (!roles) return ''
  return `; host: ${hostedBy(roles.hosted.find((hosted) => hosted.role === role))}`
}

async function move({ scene, rest }: CommandCall): Promise<CommandResult> {
  const [, who = '', host = ''] = /^(\S+)\s+(.+)$/.exec(rest) ?? []
  requireSome(host, 'move')
  const role = who === narratorId ? who : findCharacter(scene.cast, who).character
  const { name } = await scene.move(role, host)
  return { kind: 'success', text: `${role} is with ${name} now.` }
}

async function world({ scene }: CommandCall): Promise<CommandResult> {
  const shared = (await scene.world()).filter(({ knownTo }) => knownTo === undefined)
  const lines = shared.map(
    ({ key, value, version }) => `${key} = ${JSON.stringify(value)} (version ${version})`,
  )
  return { kind: 'success', text: lines.join('\n') || 'Nothing is known of the world.' }
}

/** Beats that `/auto` plays when it is not told how many. */
const AUTO_BEATS = 6

async function auto({ scene, rest, signal }: CommandCall): Promise<CommandResult> {
  const beats = rest === '' ? AUTO_BEATS : Number(rest)
  if (!Number.isInteger(beats) || beats < 1) {
    throw new SceneError('invalid-line', `/auto takes a whole number of beats, found '${rest}'`)
  }
  const before = scene.run.stage.beats
  const status = await withCancel(scene, signal, () => scene.auto(beats, signal))
  const count = scene.run.stage.beats - before
  const cap = status === 'capped' ? await newestCap(scene) : undefined
  const how = cap === undefined ? status : `the cap '${cap}' is reached`
  return {
    kind: 'success',
    text: `${count} ${count === 1 ? 'beat' : 'beats'} (${how}).`,
    ended: { status, ...(cap ? { cap } : {}) },
  }
}

/** The cap that ended the newest request. */
async function newestCap({ run }: OpenScene): Promise<RequestOutcome['cap']> {
  const { mailboxes } = run.workspace
  const head = (await mailboxes.find(run.narratorMailbox))?.headSequence ?? 0
  if (head === 0) return undefined
  const [newest] = await mailboxes.read(run.narratorMailbox, { after: head - 1, limit: 1 })
  if (newest?.status !== 'completed') return undefined
  return requestOutcome.parse(newest.result).cap
}

async function enter({ scene, rest, watching }: CommandCall): Promise<CommandResult> {
  requireSome(rest, 'enter')
  const { character } = findCharacter(scene.cast, rest)
  const placed = await scene.enter(character)
  if (!placed) return { kind: 'success', text: `'${character}' is on stage already.` }
  return { kind: 'success', text: watching ? '' : placed.beat.text }
}

async function leave({ scene, rest, watching }: CommandCall): Promise<CommandResult> {
  if (rest === '') return { kind: 'success', text: 'The scene is kept.', leaves: true }
  const { character } = findCharacter(scene.cast, rest)
  const { beat } = await scene.exit(character)
  return { kind: 'success', text: watching ? '' : beat.text }
}

function requireSome(rest: string, name: string): void {
  if (rest !== '') return
  const hint = sceneCommands.find((command) => command.name === name)?.hint ?? ''
  throw new SceneError('invalid-line', `usage: /${name} ${hint}`)
}

/** Waits for the answer; its text is what this seat heard of it. */
async function played(
  { scene, speaker, signal, watching }: CommandCall,
  submitted: Submitted,
): Promise<CommandResult> {
  const outcome = await withCancel(scene, signal, () => submitted.outcome)
  if (!outcome) {
    return { kind: 'error', text: 'The scene was closed; the turn is kept for its next opening.' }
  }
  const [failure] = outcome.failures
  if (failure && outcome.beats.length === 0) {
    return { kind: 'error', text: failureText(failure), told: true }
  }
  if (outcome.beats.length === 0) return { kind: 'success', text: whyNothing(outcome) }
  if (watching) return { kind: 'success', text: '' }
  const placed = await Promise.all(outcome.beats.map((id) => scene.run.find(id)))
  const heard = placed.filter(
    (found): found is PlacedBeat => found?.beat.heardBy.includes(speaker.id) ?? false,
  )
  return {
    kind: 'success',
    text: heard.map(({ beat }) => shown(beat.author.id, beat.author.name, beat.text)).join('\n\n'),
  }
}

function shown(author: string, name: string, text: string): string {
  return characterOf(author) === undefined ? text : `${name}: ${text}`
}

export function failureText({
  character,
  code,
  message,
}: RequestOutcome['failures'][number]): string {
  return `${character} could not answer: ${code}: ${message}`
}

export function whyNothing({ status, cap }: RequestOutcome): string {
  if (status === 'capped') return `Nobody answered: the cap '${cap}' is reached.`
  if (status === 'cancelled') return 'Stopped.'
  return 'Nobody answered.'
}

async function withCancel<T>(
  scene: OpenScene,
  signal: AbortSignal | undefined,
  task: () => Promise<T>,
): Promise<T> {
  const cancel = () => scene.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await task()
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
