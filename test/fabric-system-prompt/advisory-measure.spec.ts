/** How often the right tool is hinted at, and how often one is where none is wanted, over the real registry. */
import { describe, expect, it } from 'vitest'
import { Advisor, type Fire } from '../../packages/dsh-fabric-system-prompt/src/advisory/advisor.ts'
import {
  type ToolRecord,
  toolRecords,
} from '../../packages/dsh-fabric-system-prompt/src/tool-record.ts'
import { fabricRows, openHost } from './host.ts'
import {
  heldOut,
  heldOutUnrelated,
  type Labelled,
  others,
  seen,
  seenUnrelated,
  tempting,
} from './prompts.ts'

const advisor = new Advisor()
let reading: Promise<readonly ToolRecord[]> | undefined

/** Read from a host of the first test that asks. */
function realTools(): Promise<readonly ToolRecord[]> {
  reading ??= openHost({ presets: { fabric: fabricRows } }).then(async (host) =>
    toolRecords(host.ctx, await host.agent('fabric')),
  )
  return reading
}

/** As the first message of an agent. */
async function firesOn(prompt: string): Promise<readonly Fire[]> {
  return advisor.advise(prompt, { tools: await realTools(), fired: new Set() })
}

async function missed(prompts: readonly Labelled[]): Promise<readonly Labelled[]> {
  const fires = await Promise.all(prompts.map(([prompt]) => firesOn(prompt)))
  return prompts.filter(([, tool], n) => !fires[n]?.some((fire) => fire.tool === tool))
}

describe('a prompt that calls for a tool', () => {
  it('names only tools that are there, half in English and half in Chinese', async () => {
    const all = [...seen, ...heldOut]
    const chinese = all.filter(([prompt]) => /\p{Script=Han}/u.test(prompt))
    const names = (await realTools()).map(({ name }) => name)

    expect([all.length, chinese.length, heldOut.length]).toEqual([60, 30, 20])
    expect([...all, ...others].filter(([, tool]) => !names.includes(tool))).toEqual([])
  })

  it('gets it among at most three hints, 50 times of 60', async () => {
    const { length } = await missed([...seen, ...heldOut])

    expect(60 - length).toBeGreaterThanOrEqual(50)
  })

  it('gets it as often where nobody looked before the weights were fixed', async () => {
    expect((await missed(heldOut)).length).toBeLessThanOrEqual(3)
  })

  it('gets it in Japanese and Korean', async () => {
    expect((await missed(others)).length).toBeLessThanOrEqual(1)
  })
})

it('60 prompts that call for none get at most 3 hints in all', async () => {
  const all = [...seenUnrelated, ...heldOutUnrelated]
  const chinese = all.filter((prompt) => /\p{Script=Han}/u.test(prompt))

  expect([all.length, chinese.length]).toEqual([60, 30])
  const fires = await Promise.all(all.map(firesOn))
  expect(fires.flat().length).toBeLessThanOrEqual(3)
})

it('20 that call for none in the words of tools get at most 3', async () => {
  const fires = await Promise.all(tempting.map(firesOn))

  expect(fires.flat().length).toBeLessThanOrEqual(3)
})
