/** Preset `fabric` in the stock `dsh web`: a model behind the provider's real protocol, a person in real Chromium. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { WireRequest } from '../wire/chat.ts'
import { ProviderServer } from '../wire/provider-server.ts'
import type { WireAnswer } from '../wire/replies.ts'
import { openBrowser } from './browser.ts'
import { type DshWeb, linkProfile, newDshHome, startDshWeb } from './dsh-web.ts'
import { SeatView } from './seat-view.ts'

const POLL = { timeout: 30_000, interval: 50 }
const KEY = { KEEPER_KEY: 'sk-keeper' }
const program = `await tools.write({ file_path: 'lamps.txt', content: 'three lamps' })
const { lines } = await tools.read({ file_path: 'lamps.txt' })
const found = await tools.grep({ pattern: 'lamps' })
return { read: lines.map(({ text }) => text), found }`
/** Each as a tool of its own, or as a name in the roster. */
const toolNames = [
  'ask_user_question',
  'bash',
  'edit',
  'exit_plan_mode',
  'fabric_mesh',
  'glob',
  'grep',
  'job_list',
  'job_output',
  'ralph',
  'read',
  'session_event_read',
  'session_event_search',
  'session_search',
  'session_trace',
  'skill',
  'subagent',
  'subagent_fork',
  'web_search',
  'workflow',
  'write',
]
const title = 'Write lamps.txt, read lamps.txt and grep lamps'
const answer = 'There are three lamps.'
const { home, remove } = newDshHome()
let server: ProviderServer
let host: DshWeb
let browser: Browser

/** A model that works through one program, and answers a delegated task with words. */
function script(request: WireRequest): WireAnswer {
  const { messages, tools = [] } = request.chat
  const last = messages.at(-1)
  if (tools.length === 0) return { kind: 'say', text: 'Lamps' }
  if (last?.role === 'tool') return { kind: 'say', text: answer }
  if (asked(request, 'Count the lamps')) {
    return { kind: 'say', text: '', calls: [{ name: 'run_code', arguments: { code: program } }] }
  }
  if (asked(request, 'Which runtime?')) {
    const args = { code: "return 'a process: ' + typeof process", description: 'Look around' }
    return { kind: 'say', text: '', calls: [{ name: 'run_code', arguments: args }] }
  }
  return { kind: 'say', text: asked(request, 'candles') ? 'Nine candles.' : 'Well.' }
}

/** In the newest words of the person; what the host adds to them comes after. */
function asked({ chat }: WireRequest, words: string): boolean {
  const from = chat.messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool')
  return chat.messages
    .slice(from + 1)
    .some(({ role, content }) => role === 'user' && content.includes(words))
}

/** Requests of agents; titles of sessions are asked for without tools. */
function agentRequests(): readonly WireRequest[] {
  return server.exchanges.map(({ request }) => request).filter(({ chat }) => chat.tools)
}

function settings(): string {
  const model = { id: 'keeper-1', contextWindow: 128_000, maxTokens: 1000 }
  const local = {
    displayName: 'Keeper',
    api: 'openai-completions',
    baseURL: server.baseUrls.openai,
    apiKeyEnv: 'KEEPER_KEY',
    models: [model, { ...model, id: 'keeper-2' }],
  }
  return JSON.stringify({
    'ui-onboarding': { welcomeNoticeVersion: '2026-08-13.1' },
    'agent-default-model': { provider: 'local', model: 'keeper-1' },
    'llm-pi-ai': { providers: { local } },
  })
}

beforeAll(async () => {
  server = await ProviderServer.start(script)
  linkProfile(home, { pace: 0 })
  writeFileSync(join(home, 'settings.yaml'), settings())
  browser = await openBrowser()
  host = await startDshWeb(home, KEY)
  const first = await SeatView.open(browser, host.url)
  await first.chooseWorkspace()
  await first.close()
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await server?.stop()
  remove()
}, 30_000)

async function openFabric(): Promise<SeatView> {
  const view = await SeatView.open(browser, host.url)
  onTestFinished(() => view.close())
  await view.choosePreset('Fabric')
  return view
}

describe('preset fabric in dsh web', { timeout: 90_000 }, () => {
  it("is listed beside the host's own presets", async () => {
    const view = await SeatView.open(browser, host.url)
    onTestFinished(() => view.close())

    const presets = await view.presets()

    for (const name of ['Standard mode', 'PTC mode', 'Fabric', 'Stage']) {
      expect(presets).toContain(name)
    }
  })

  it('a task is done with three calls in one program, whose card has a title', async () => {
    const view = await openFabric()

    await view.type('Count the lamps.')
    await view.text(answer).waitFor()
    await view.idle()

    await view.text(title).waitFor()
    await keepPicture(view, 'card')
    expect(readFileSync(join(home, 'lamps.txt'), 'utf8')).toBe('three lamps')
    const [first, second] = agentRequests()
    expect(first?.chat.tools).toMatchObject([
      { function: { name: 'run_code', parameters: { required: ['code'] } } },
    ])
    const prompt = first?.chat.messages[0]?.content ?? ''
    for (const tool of toolNames) expect(prompt).toMatch(new RegExp(`^\\s*(- ")?${tool}["(]`, 'm'))
    for (const tool of ['todo_write', 'goal', 'web_fetch'])
      expect(prompt).not.toContain(`"${tool}"`)
    const result = second?.chat.messages.at(-1)
    expect(result).toMatchObject({ role: 'tool' })
    expect(result?.content).toContain('three lamps')
    expect(view.errors).toEqual([])
  })

  it("the host's own code mode runs on its own runtime, and asks for what it always asked", async () => {
    const view = await SeatView.open(browser, host.url)
    onTestFinished(() => view.close())
    await view.choosePreset('PTC mode')

    await view.type('Which runtime?')
    await view.text(answer).waitFor()
    await view.idle()

    const [request, result] = agentRequests().slice(-2)
    expect(request?.chat.tools).toMatchObject([
      { function: { name: 'run_code', parameters: { required: ['code', 'description'] } } },
    ])
    expect(result?.chat.messages.at(-1)?.content).toContain('a process: object')
  })

  it('/delegate typed in the composer starts a session in the list, and its parent is asked nothing', async () => {
    const view = await openFabric()
    await view.type('Good evening.')
    await view.text('Well.').waitFor()
    await view.idle()
    const before = agentRequests().length

    await view.type('/delegate --model keeper-2 Count the candles of the hall')
    await expect
      .poll(() => view.results(), POLL)
      .toEqual([expect.stringContaining('local/keeper-2')])
    await expect.poll(() => agentRequests().length, POLL).toBe(before + 1)
    expect(agentRequests().at(-1)?.chat.model).toBe('keeper-2')
    await view.text('Count the candles of the hall').click()
    await view.text('Nine candles.').waitFor()
    await view.type('And again?')
    await view.text('Well.').waitFor()
    await view.idle()

    await keepPicture(view, 'delegated')
    const [task, again, ...more] = agentRequests().slice(before)
    expect(more).toEqual([])
    expect(again?.chat.messages.length).toBeGreaterThan(task?.chat.messages.length ?? 0)
    expect(again?.chat.model).toBe('keeper-2')
  })

  it('after a restart both sessions are there, and go on', async () => {
    await host.stop()
    host = await startDshWeb(home, KEY)
    const view = await SeatView.open(browser, host.url)
    onTestFinished(() => view.close())

    await view.text('Count the candles of the hall').click()
    await view.text('Nine candles.').waitFor()
    await view.type('Still there?')
    await expect.poll(() => agentRequests().at(-1)?.raw ?? '', POLL).toContain('Still there?')
    await view.idle()

    const request = agentRequests().at(-1)
    expect(request?.raw).toContain('Count the candles of the hall')
    expect(request?.chat.model).toBe('keeper-2')
  })
})

/** For a person to look at, where one asked for it. */
async function keepPicture(view: SeatView, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder && existsSync(folder)) {
    await view.page.screenshot({ path: join(realpathSync(folder), `${name}.png`) })
  }
}
