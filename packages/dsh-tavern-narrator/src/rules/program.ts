/** One run of one rule as the runtime takes it: its text, what it sees, what it may call. Pure. */
import type { CodeRequest } from 'dsh-fabric-code-runtime-quickjs'
import type { KnownVariable, RunCast } from 'dsh-tavern-cast'
import { type ParticipantId, type RuleName, type Scene, seatName } from 'dsh-tavern-protocol'
import { seedOf } from '../draws.ts'
import { kindOf, ruleDeclarations } from './declarations.ts'
import { warmLimits, runLimits } from './limits.ts'
import { type FactEntry, preludeSource, type RuleFacts } from './prelude.ts'

/** What set the rule off. */
export interface RuleCall {
  /** Of the run: of its beats, and of its seed. */
  readonly id: string
  readonly rule: RuleName
  /** The id of the beat or the request. */
  readonly cause: string
  readonly seen: {
    readonly kind: string
    readonly author: { readonly id: ParticipantId; readonly name: string }
    readonly text: string
  }
}

/** Where the authors of a scene find it. */
export function ruleFile(rule: RuleName): string {
  return `rules/${rule}.ts`
}

/** A program as it is checked: what it sees is nobody's. */
export function checkRequest(scene: Scene, rule: RuleName, program: string): CodeRequest {
  const facts = { scene: {}, cause: {}, world: [], variables: [], seed: seedOf('') }
  return { ...codeRequest(rule, program), ...boundTo(scene, facts), limits: warmLimits }
}

export function runRequest(
  cast: RunCast,
  program: string,
  { call, known }: { readonly call: RuleCall; readonly known: readonly KnownVariable[] },
): CodeRequest {
  const { scene, stage, seed } = cast.run
  const isVariable = ({ key }: KnownVariable) => Object.hasOwn(scene.variables, key)
  const facts: RuleFacts = {
    scene: {
      id: scene.id,
      title: scene.title,
      language: scene.language,
      beats: stage.beats,
      onStage: stage.onStage,
      seats: stage.seats.map(seatName),
      cast: scene.cast.map(({ character }) => ({
        id: character,
        name: cast.nameOf(`character:${character}`),
        onStage: stage.onStage.includes(character),
      })),
    },
    cause: call.seen,
    world: entriesOf(
      Object.entries(scene.world).map(([key, { value }]) => [key, kindOf(value)]),
      known.filter((variable) => !isVariable(variable)),
    ),
    variables: entriesOf(
      Object.entries(scene.variables).map(([key, value]) => [key, kindOf(value)]),
      known.filter(isVariable),
    ),
    seed: seedOf(`${seed}/${call.id}`),
  }
  return { ...codeRequest(call.rule, program), ...boundTo(scene, facts), limits: runLimits }
}

function codeRequest(rule: RuleName, program: string): CodeRequest {
  return { program, file: ruleFile(rule), namespaces: [] }
}

function boundTo(scene: Scene, facts: RuleFacts): Pick<CodeRequest, 'prelude'> {
  return {
    prelude: { source: preludeSource(facts), declarations: ruleDeclarations(scene) },
  }
}

/** What is declared, and what came in play; a declared one may have been taken away. */
function entriesOf(
  declared: readonly (readonly [string, string])[],
  known: readonly KnownVariable[],
): readonly FactEntry[] {
  const kinds = new Map(declared)
  const there = known.map(({ key, value, version }): FactEntry => {
    const kind = kinds.get(key)
    kinds.delete(key)
    return { key, value, version, ...(kind === undefined ? {} : { kind }) }
  })
  return [
    ...there,
    ...[...kinds].map(([key, kind]) => ({ key, value: undefined, version: 0, kind })),
  ]
}
