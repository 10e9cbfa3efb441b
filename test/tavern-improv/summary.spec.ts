import { describe, expect, it } from 'vitest'
import { createUserMessage, type GenerateOptions, type Message } from '@deepseek-ai/dsh-llm'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { tokensOf } from '../../packages/dsh-tavern-improv/src/tokens.ts'
import { liu, mara } from './cards.ts'
import { spokenBy } from './playing.ts'
import { briefingText, cue, own, request } from './requests.ts'

const order = plugin(
  'dsh-compaction-basic',
  'You are now acting as a compaction engine. Output EXACTLY the structure below.',
)

function plugin(name: string, text: string): Message {
  return createUserMessage({
    content: [{ type: 'text', text }],
    source: { kind: 'plugin', plugin: name },
  })
}

function compact(card: typeof mara, messages: readonly Message[], maxTokens?: number): string {
  const options: GenerateOptions = {
    ...request(card, [...messages, order]),
    purpose: 'compaction',
    ...(maxTokens ? { maxTokens } : {}),
  }
  return answerTo(options, 0.35).text
}

const lines = [
  'Ivo: I promise I will bring the amulet of Sarn to the lighthouse by dawn.',
  'Tess: Nothing much happens here in winter, and the soup is thin.',
  'You: Captain Verrick pays forty crowns for the chart.',
  '* The bell of Harrow rings twice. *',
]
const answersOfMara = spokenBy(mara, { beats: 16, seed: 'sum' })
const history = answersOfMara.flatMap((text, index) => {
  const world = { gate_barred: index > 8, logs: 16 - index }
  const happened = [
    lines[index % lines.length] ?? '',
    `Ivo: And that is remark number ${index} of mine, about nothing at all.`,
  ]
  return [cue(briefingText({ card: mara, happened, world }), `s${index}`), own(text)]
})
const inputText = history.map((message) => JSON.stringify(message.content)).join('\n')

const titleFor = (framed: string) => {
  const options: GenerateOptions = {
    provider: 'improv',
    model: 'improv-1',
    messages: [plugin('dsh-session-title-llm', framed)],
    purpose: 'session-title',
  }
  return answerTo(options, 0.35)
}

describe('a compaction summary', () => {
  const summary = compact(mara, history)

  it('is clearly shorter than what it replaces', () => {
    expect(tokensOf(summary)).toBeLessThan(tokensOf(inputText) * 0.45)
    expect(summary.length).toBeGreaterThan(200)
  })

  it('keeps names, promises, what was said by whom, and the newest world', () => {
    for (const name of ['Mara', 'Ivo', 'Tess', 'Sarn', 'Verrick']) expect(summary).toContain(name)
    expect(summary).toContain(
      'Ivo: I promise I will bring the amulet of Sarn to the lighthouse by dawn.',
    )
    expect(summary).toContain('gate_barred = true; logs = 1')
  })

  it('takes nothing from the order itself', () => {
    expect(summary).not.toMatch(/compaction|structure/i)
  })

  it('carries an earlier summary on', () => {
    const checkpoint = plugin(
      'compact',
      `Established background.\n\n<compacted-summary>${summary}</compacted-summary>`,
    )
    const later = ['Ivo: The tide is turning.', 'Ivo: Bring a lantern.'].flatMap((text, index) => [
      cue(
        briefingText({
          card: mara,
          happened: [text, lines[1] ?? '', lines[3] ?? ''],
          world: { logs: 0 },
        }),
        `l${index}`,
      ),
      own(answersOfMara[index] ?? ''),
    ])
    const again = compact(mara, [checkpoint, ...later])
    for (const kept of ['Verrick', 'gate_barred = true', 'logs = 0', 'Before that'])
      expect(again).toContain(kept)
    expect(again).not.toContain('Established background')
  })

  it('fits the tokens it may use', () => {
    expect(tokensOf(compact(mara, history, 200))).toBeLessThanOrEqual(200)
  })

  it('is Chinese for a Chinese scene and keeps whispers marked as such', () => {
    const messages = spokenBy(liu, { beats: 6, seed: 'zh' }).flatMap((text, index) => [
      cue(
        briefingText({
          card: liu,
          happened: [
            '阿福：我保证天亮之前把顾家的剑送到渡口。',
            '小青（对你耳语）：将军明天一定会来。',
          ],
        }),
        `s${index}`,
      ),
      own(text),
    ])
    const text = compact(liu, messages)
    expect(text).toContain('我保证天亮之前把顾家的剑送到渡口')
    expect(text).toContain('小青（对你耳语）：将军明天一定会来')
    expect(text).not.toMatch(/[A-Za-z]{4,}/)
  })

  it('ignores notes of killed attempts', () => {
    const note = cue('(You were cut off before you spoke.)', 's', { shadowOf: 'x' })
    expect(compact(mara, [note, ...history])).toBe(summary)
  })
})

describe('a session title', () => {
  it('is a few words of the first line, without calls', () => {
    const { text, calls } = titleFor(
      'Generate the title:\n[{"seq":4,"text":"tell me about the wolves on the mountain road, please"}]',
    )
    expect(text).toBe('Tell me about the wolves on')
    expect(calls).toEqual([])
  })

  it('is short in Chinese too', () => {
    expect(titleFor('Generate:\n["掌柜的，还有空房吗？我们赶了三天的路"]').text).toBe('掌柜的')
  })
})
