import { briefing } from '../../packages/dsh-tavern-cast/src/briefing.ts'
import type { Beat } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import {
  applied,
  conflict,
  ellis,
  entrance,
  exit,
  hears,
  line,
  mara,
  narration,
  narrator,
  pip,
  placed,
  request,
  roll,
  section,
  whisper,
  world,
} from './beats.ts'

const happened = (...beats: readonly Beat[]) =>
  section(briefing(request({ perceived: placed(...beats) })), 'Since you last spoke')

const everything: readonly Beat[] = [
  narration({ text: 'Rain beats on the shutters.' }),
  entrance(),
  line({ author: ellis, text: 'Is the ferry in?' }),
  line({ text: 'No.\nThe rope is gone.', changes: [applied('ferry.rope', 'gone')] }),
  whisper({ text: 'I have the bill.' }),
  world({ author: narrator, changes: [applied('mood', 'tense')] }),
  roll({ text: 'Pip rolls d20: 7.' }),
  exit(),
]

describe('a whole briefing', () => {
  test('in English', () => {
    const text = briefing(
      request({
        perceived: placed(...everything),
        world: [
          { key: 'hearth.lit', version: 1, value: true },
          { key: 'bowl', version: 3, value: { holder: 'pip' } },
        ],
        lore: ['The Heron was a ferry house.\nIt still is.'],
        conflicts: [conflict('door', 'open', 'barred')],
      }),
    )

    expect(text).toMatchInlineSnapshot(`
      "[Scene]
      On stage: Mara, you <character:mara>, Pip <character:pip>.
      Also here: Ellis <seat:Ellis>.

      [World]
      - hearth.lit (version 1): true
      - bowl (version 3): {"holder":"pip"}

      [You remember]
      - The Heron was a ferry house.
        It still is.

      [Since you last spoke]
      * Rain beats on the shutters. *
      * Pip comes in. *
      Ellis: Is the ferry in?
      Pip: No.
        The rope is gone. [now: ferry.rope = "gone"]
      Pip (whispers to you): I have the bill.
      * Narrator [now: mood = "tense"] *
      * Pip rolls d20: 7. *
      * Pip leaves. *

      [Told to you alone]
      - Your change of door to "open" did not happen: meanwhile it had become "barred" (version 2).

      [Your cue]
      It is your turn.
      Speak now, as Mara."
    `)
  })

  test('in Chinese', () => {
    const text = briefing(
      request({
        language: 'zh',
        self: { id: mara.id, name: '罗阿满' },
        present: [
          { id: mara.id, name: '罗阿满' },
          { id: pip.id, name: '季守钟' },
        ],
        seats: [{ id: 'seat:林渡', name: '林渡' }],
        perceived: placed(
          entrance({ author: { id: pip.id, name: '季守钟' } }),
          line({ author: { id: 'seat:林渡', name: '林渡' }, text: '钟响了几声？' }),
          whisper({ author: { id: pip.id, name: '季守钟' }, text: '别说。' }),
          line({
            author: { id: pip.id, name: '季守钟' },
            text: '两声。',
            changes: [applied('钟响次数', 3)],
          }),
          exit({ author: { id: pip.id, name: '季守钟' } }),
        ),
        more: true,
        world: [{ key: '停电', version: 1, value: true }],
        lore: ['钟是放水前一夜卸下来的。'],
        conflicts: [conflict('临湖的窗', '关着', '开着')],
        cue: ['轮到你了。', '现在请以罗阿满的身份开口。'],
      }),
    )

    expect(text).toMatchInlineSnapshot(`
      "[场景]
      在场：罗阿满, 你 <character:mara>, 季守钟 <character:pip>。
      在座：林渡 <seat:林渡>。

      [世界]
      - 停电 (version 1): true

      [你记得]
      - 钟是放水前一夜卸下来的。

      [你上次开口之后]
      （这里略去了更早的片刻。）
      * 季守钟走了进来。 *
      林渡: 钟响了几声？
      季守钟 (对你耳语): 别说。
      季守钟: 两声。 [现在：钟响次数 = 3]
      * 季守钟离开了。 *

      [只告诉你]
      - 你想把临湖的窗改成"关着"，没有成功：它在此期间已变成"开着"（版本2）。

      [轮到你了]
      轮到你了。
      现在请以罗阿满的身份开口。"
    `)
  })

  test('with nothing to tell', () => {
    const text = briefing(request({ present: [mara], seats: [] }))

    expect(text).toMatchInlineSnapshot(`
      "[Scene]
      On stage: Mara, you <character:mara>.

      [Since you last spoke]
      (Nothing you could perceive.)

      [Your cue]
      It is your turn.
      Speak now, as Mara."
    `)
  })
})

describe('what happened', () => {
  test('leaves out what the character itself said and did', () => {
    const own = { author: mara }

    const lines = happened(
      line({ ...own, text: 'Mine.' }),
      whisper({ ...own, ...hears(pip.id) }),
      world({ ...own, changes: [applied('door', 'open')] }),
      exit({ ...own, character: 'mara' }),
      line({ text: 'Yours.' }),
    )

    expect(lines).toEqual(['Pip: Yours.'])
  })

  test('shows its own entrance and its own rolls', () => {
    const lines = happened(
      entrance({ author: mara, character: 'mara' }),
      roll({ author: mara, text: 'Mara rolls d6: 2.' }),
    )

    expect(lines).toEqual(['* Mara comes in. *', '* Mara rolls d6: 2. *'])
  })

  test('a whisper to it says so', () => {
    expect(happened(whisper({ text: 'Psst.', ...hears(mara.id, ellis.id) }))).toEqual([
      'Pip (whispers to you): Psst.',
    ])
  })

  test('the narrator reads who heard a whisper, those who left since by their id', () => {
    const secret = whisper({ text: 'Psst.', ...hears(mara.id, 'character:crane', pip.id) })

    const text = briefing(request({ self: narrator, perceived: placed(secret) }))

    expect(section(text, 'Since you last spoke')).toEqual(['Pip (whispers to Mara, crane): Psst.'])
  })

  test('a change of a variable that it does not know of is not shown', () => {
    const lines = happened(
      line({ changes: [applied('safe', 'open', ['pip']), applied('door', 'open', ['mara'])] }),
      world({ changes: [applied('safe', 'shut', ['pip'])] }),
    )

    expect(lines).toEqual(['Pip: Hello. [now: door = "open"]'])
  })

  test('a change that met a newer version is nobody else’s news', () => {
    expect(happened(line({ changes: [conflict('door', 'open', 'barred')] }))).toEqual([
      'Pip: Hello.',
    ])
    expect(happened(world({ changes: [conflict('door', 'open', 'barred')] }))).toEqual([
      '(Nothing you could perceive.)',
    ])
  })

  test('a seat does not read changes that only characters know of', () => {
    const secret = line({ changes: [applied('safe', 'open', ['pip'])] })

    const text = briefing(request({ self: ellis, perceived: placed(secret) }))

    expect(section(text, 'Since you last spoke')).toEqual(['Pip: Hello.'])
  })

  test('the narrator reads every change', () => {
    const secret = line({ changes: [applied('safe', 'open', ['pip'])] })

    const text = briefing(request({ self: narrator, perceived: placed(secret) }))

    expect(section(text, 'Since you last spoke')).toEqual(['Pip: Hello. [now: safe = "open"]'])
  })
})

test('each conflict is a notice with what was wanted and what stands there', () => {
  const conflicts = [conflict('door', 'open', 'barred'), applied('bowl', 'pip')]

  const text = briefing(request({ conflicts }))

  expect(section(text, 'Told to you alone')).toEqual([
    '- Your change of door to "open" did not happen: meanwhile it had become "barred" (version 2).',
  ])
})
