/** What `bun.spec.ts` starts: one line of JSON for each thing that must hold. */
import { Context } from '@deepseek-ai/cordis'
import type { CodeRequest } from 'dsh-fabric-code-runtime-quickjs'
import QuickjsCode from 'dsh-fabric-code-runtime-quickjs/provider'

const context = new Context()
const plugin = context.plugin(QuickjsCode)
await plugin

const tell = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const request = (program: string, more: Partial<CodeRequest> = {}): CodeRequest => ({
  program,
  namespaces: [
    { global: 'tools', members: new Map([['echo', { call: async (argument) => argument }]]) },
  ],
  ...more,
})
const kindOf = async (program: string, more: Partial<CodeRequest> = {}) => {
  const outcome = await context.checkedCode.run(request(program, more))
  return outcome.status === 'failed' ? outcome.failure : { kind: outcome.status, message: '' }
}

tell(
  await context.checkedCode.run(
    request(`const list: number[] = [1, 2, 3]
console.log('running')
return { sum: list.reduce((a, b) => a + b), echo: await tools.echo([1.5, 'é']) }`),
  ),
)
tell((await kindOf('return tools.nothing()')).kind)
const MEMORY = { limits: { memoryLimitBytes: 16_777_216 } }
tell((await kindOf('const all: object[] = []; for (;;) all.push({})', MEMORY)).kind)
tell((await kindOf('const down = (): number => 1 + down(); return down()')).kind)
tell((await kindOf('while (true) {}', { limits: { maxWallMs: 1_000 } })).kind)
const controller = new AbortController()
setTimeout(() => controller.abort(new Error('stopped by hand')), 300)
tell((await kindOf('while (true) {}', { signal: controller.signal })).message)
const last = kindOf('while (true) {}')
setTimeout(() => void plugin.dispose(), 300)
tell((await last).message)
tell(
  (await context.checkedCode?.run(request('')).then(
    () => 'ran',
    () => 'gone',
  )) ?? 'gone',
)
