/** The host row in place of `code-runtime`: programs of our presets are checked and run apart, all others run as they did. */
import { type Context, Service } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/cordis-plugin-loader'
import { CodeRuntime, type CodeRunRequest, type CodeRunResult } from '@deepseek-ai/dsh-code-runtime'
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import z from '@deepseek-ai/schemastery'
import type {} from 'dsh-fabric-code-runtime-quickjs'
import { checkedRequest, hostResult } from './checked-run.ts'
import { CodeRuns } from './code-runs.ts'

export interface Config {
  /** The id of the host's disabled row, whose config the stock runtime keeps. */
  readonly hostRow?: string
}

export default class FabricCodeRuntime extends CodeRuntime {
  /** Not the engine: without one, the host's own presets run as they did. */
  static readonly inject = ['loader']
  static readonly Config: z<Config> = z.object({ hostRow: z.string().default('code-runtime') })

  readonly language = 'typescript'
  readonly isolation = 'quickjs-wasm'
  private readonly host: Context
  private readonly hostRow: string | undefined
  private readonly runs = new CodeRuns()
  private stock: CodeRuntime | undefined

  constructor(ctx: Context, config: Config) {
    super(ctx)
    this.host = ctx
    this.hostRow = config.hostRow
    ctx.provide('codeRuns', this.runs)
    ctx.on(
      'tools/execute',
      (exec, next) => (exec.name === RUN_CODE_NAME ? this.runs.without(next) : next()),
      { prepend: true },
    )
  }

  protected async [Service.init](): Promise<void> {
    this.stock = await mountStock(this.host, this.hostRow)
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    const run = this.runs.current()
    if (run === undefined && this.stock) return await this.stock.run(request)
    const engine = this.host.get('checkedCode')
    if (engine) {
      const outcome = await engine.run(checkedRequest(request, run?.contracts))
      return hostResult(outcome)
    }
    throw new Error('dsh-fabric-host: no ctx.checkedCode to run this program')
  }
}

/** In a realm of its own, so that the host finds one `codeRuntime`; undefined where it cannot be loaded (Bun). */
async function mountStock(
  ctx: Context,
  hostRow: string | undefined,
): Promise<CodeRuntime | undefined> {
  const loaded = await import('@deepseek-ai/dsh-code-runtime-worker-thread').catch(
    (error: unknown) => {
      ctx.logger.info(
        `the host's code runtime cannot be loaded here, so every program is checked: ${String(error)}`,
      )
    },
  )
  if (!loaded) return undefined
  const realm = ctx.isolate('codeRuntime')
  const row = [...ctx.loader.entries()].find(({ options }) => options.id === hostRow)
  const Stock = loaded.default
  await realm.plugin(Stock, Stock.Config(row?.options.config ?? {}))
  return realm.get('codeRuntime')
}
