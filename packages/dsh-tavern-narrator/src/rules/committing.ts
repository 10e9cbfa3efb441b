/** A rule's decision becomes beats: its rolls, then the beat that carries its changes, then what it tells. Doing it again changes nothing. */
import { changeWorld, narratorName, type Run, type UnheardBeat } from 'dsh-tavern-cast'
import {
  type Audience,
  characterParticipant,
  everyone,
  narratorId,
  type WorldChange,
} from 'dsh-tavern-protocol'
import type { Decision } from './decision.ts'
import { type RuleCall, ruleFile } from './program.ts'
import { ruleWords } from './words.ts'

/** The narrator, and with it who sees everything. */
const directorsOnly: Audience = { kind: 'named', participants: [narratorId] }

type Done = Extract<Decision, { status: 'done' }>

/** The ids of its beats, in order. */
export async function publishDecision(
  run: Run,
  call: RuleCall,
  decision: Decision,
): Promise<readonly string[]> {
  const beats =
    decision.status === 'failed'
      ? [[call.id, noticeOf(run, call, decision)] as const]
      : beatsOf(run, call, { decision, changes: await changesOf(run, call, decision) })
  await Promise.all(beats.map(([id, beat]) => run.publish(id, beat)))
  return beats.map(([id]) => id)
}

async function changesOf(
  run: Run,
  { id, cause }: RuleCall,
  { changes }: Done,
): Promise<readonly WorldChange[]> {
  const made: WorldChange[] = []
  for (const [index, change] of changes.entries()) {
    const author = { id: `${id}/world${index}`, by: narratorId, cause }
    made.push(await changeWorld(run, { kind: 'world', ...change }, author))
  }
  return made
}

function beatsOf(
  run: Run,
  call: RuleCall,
  { decision, changes }: { readonly decision: Done; readonly changes: readonly WorldChange[] },
): readonly (readonly [string, UnheardBeat])[] {
  const { rolls, tells } = decision
  const common = commonOf(run, call)
  const words = ruleWords[run.scene.language]
  const rolled = rolls.map((roll, index): [string, UnheardBeat] => {
    const { dice, total } = roll
    const audience = roll.hidden ? directorsOnly : everyone
    const text = words.roll(roll)
    return [`${call.id}/roll${index}`, { kind: 'roll', ...common, audience, text, dice, total }]
  })
  const told = tells.map(({ to, text }, index): [string, UnheardBeat] => {
    const audience: Audience = {
      kind: 'named',
      participants: to === 'seats' ? run.stage.seats : [characterParticipant(to)],
    }
    return [`${call.id}/tell${index}`, { kind: 'whisper', ...common, audience, text }]
  })
  return [...rolled, ...ownBeat(call, common, { narration: decision.narration, changes }), ...told]
}

type Common = Pick<UnheardBeat, 'author' | 'cause'>

/** What changes in secret alone is nobody's to perceive. */
function ownBeat(
  { id }: RuleCall,
  common: Common,
  {
    narration: text,
    changes,
  }: { readonly narration: string; readonly changes: readonly WorldChange[] },
): readonly (readonly [string, UnheardBeat])[] {
  const carried = changes.length > 0 ? { changes } : {}
  if (text !== '') {
    return [[id, { kind: 'narration', ...common, audience: everyone, text, ...carried }]]
  }
  if (changes.length === 0) return []
  const isSecret = changes.every(({ knownTo }) => knownTo?.length === 0)
  const audience = isSecret ? directorsOnly : everyone
  return [[id, { kind: 'world', ...common, audience, text: '', changes }]]
}

function noticeOf(
  run: Run,
  call: RuleCall,
  { code, message, at, rests }: Extract<Decision, { status: 'failed' }>,
): UnheardBeat {
  const words = ruleWords[run.scene.language]
  const place = at ? `:${at.line}:${at.column}` : ''
  // the runtime's own words may end with the place
  const found = message.replace(` (${ruleFile(call.rule)}${place})`, '')
  const text = words.failed(call.rule, `${ruleFile(call.rule)}${place}`, `${code}: ${found}`)
  return {
    kind: 'notice',
    ...commonOf(run, call),
    audience: { kind: 'named', participants: [narratorId, ...run.stage.seats] },
    text: rests ? `${text} ${words.rests}` : text,
  }
}

function commonOf(run: Run, { cause }: RuleCall): Common {
  return { author: { id: narratorId, name: narratorName[run.scene.language] }, cause }
}
