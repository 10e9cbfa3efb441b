/** Runs rules in the host's runtime for checked programs; whatever goes wrong there is the rule's failure. */
import { CodeError } from 'dsh-fabric-code-runtime-quickjs'
import { readWorld } from 'dsh-tavern-cast'
import { failed, ruledBy, type Ruled } from './decision.ts'
import { warmLimits } from './limits.ts'
import { checkRequest, type RuleCall, runRequest } from './program.ts'
import type { SceneRulesOptions } from './scene-rules.ts'

export class RuleRunner {
  readonly #options: SceneRulesOptions
  #warming: Promise<void> | undefined

  constructor(options: SceneRulesOptions) {
    this.#options = options
  }

  warm(): void {
    this.#warming ??= this.#start().catch(() => {}) // what is wrong is told by the run
  }

  async run(call: RuleCall, signal: AbortSignal): Promise<Ruled> {
    const { ctx, cast, programs } = this.#options
    const code = ctx.get('checkedCode')
    if (!code) return failed('no-runtime', 'there is no runtime for rules here')
    const program = Object.hasOwn(programs, call.rule) ? programs[call.rule] : undefined
    if (program === undefined) return failed('no-program', 'its program is not with this run')
    this.warm()
    await this.#warming
    const known = await readWorld(cast.run)
    try {
      return ruledBy(await code.run({ ...runRequest(cast, program, { call, known }), signal }))
    } catch (error) {
      if (!(error instanceof CodeError)) throw error
      return failed(error.code, error.message)
    }
  }

  /** The first check and the first run take long, which is no rule's fault; a check is remembered by its text. */
  async #start(): Promise<void> {
    const { ctx, cast, programs } = this.#options
    const code = ctx.get('checkedCode')
    for (const [rule, program] of Object.entries(programs)) {
      await code?.check(checkRequest(cast.run.scene, rule, program))
    }
    await code?.run({ program: '', namespaces: [], limits: warmLimits })
  }
}
