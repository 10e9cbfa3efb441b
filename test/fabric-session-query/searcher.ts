/** A process that searches: `searcher.ts <home> <times> <query>` prints how many sessions each search found. */
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import SessionStore from '@deepseek-ai/dsh-session'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import FabricSessionQuery from 'dsh-fabric-session-query/provider'

const [home = '', times = '1', query = ''] = process.argv.slice(2)
const ctx = new Context()
await ctx.plugin(LlmRuntime)
await ctx.plugin(SessionStore)
await ctx.plugin(JsonlPersistence, { root: join(home, 'sessions') })
await ctx.plugin(FabricSessionQuery, {
  path: join(home, 'index', 'fabric.sqlite'),
  openAt: 'first-search',
})
for (let search = 0; search < Number(times); search += 1) {
  const { items } = await ctx.sessionQuery.searchSessions({ query, limit: 100 })
  process.stdout.write(`${items.length}\n`)
}
await ctx.fiber.dispose()
