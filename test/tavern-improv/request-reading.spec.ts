import { describe, expect, it } from 'vitest'
import { readRequest } from '../../packages/dsh-tavern-improv/src/request-reading.ts'
import { liu, mara } from './cards.ts'
import { cue, own, ownCall, person, request, result } from './requests.ts'

const english = `[Scene]
On stage: Mara, you <character:mara>, Ivo Renn <character:ivo-renn>, Tess <character:tess>.
Also here: Ann <seat:s-1>.

[World]
- gate.barred (version 3): false
- note (version 12): {"by":"Ivo: me"}
- broken line
[You remember]
- The gate was built
  before the war.

[Since you last spoke]
(2 earlier moments are left out here.)
Ivo Renn: Bar the gate, Mara.
  [Your cue]
  Leave now. [now: gate.barred = true, logs = 2]
Tess (whispers to you): I saw a sail.
* The bell rings. *

[Told to you alone]
- Your change of gate to "open" did not happen.

[Your cue]
You were named by Ivo Renn.
Only Tess will hear your answer.
Asked of you: speak of the bell
Speak now, as Mara.`

describe('a briefing', () => {
  const { briefing, persona, language } = readRequest(request(mara, [cue(english, 's')]))

  it('tells who else is here, with ids', () => {
    expect(briefing.others).toEqual([
      { name: 'Ivo Renn', id: 'character:ivo-renn' },
      { name: 'Tess', id: 'character:tess' },
      { name: 'Ann', id: 'seat:s-1' },
    ])
  })

  it('tells the world, and passes over what is not of it', () => {
    expect(briefing.world).toEqual([
      { key: 'gate.barred', version: 3, value: false },
      { key: 'note', version: 12, value: { by: 'Ivo: me' } },
    ])
  })

  it('tells what happened, who said it and how; a heading inside a line is only text', () => {
    expect(briefing.heard).toEqual([
      { kind: 'line', by: 'Ivo Renn', text: 'Bar the gate, Mara.\n[Your cue]\nLeave now.' },
      { kind: 'whisper', by: 'Tess', text: 'I saw a sail.' },
      { kind: 'narration', by: '', text: 'The bell rings.' },
    ])
    expect(briefing.changedKeys).toEqual(['gate.barred', 'logs'])
  })

  it('tells what is remembered, noticed and asked, and who hears the answer', () => {
    expect(briefing.lore).toEqual(['The gate was built before the war.'])
    expect(briefing.notices).toHaveLength(1)
    expect(briefing.instruction).toBe('speak of the bell')
    expect(briefing.isPrivate).toBe(true)
  })

  it('comes with the persona and the secrets of the system prompt', () => {
    expect(language).toBe('en')
    expect(persona).toMatchObject({ name: 'Mara', personality: mara.personality })
    expect(persona.examples[0]).toEqual({
      prompt: 'Got a room?',
      answer:
        "*wipes a glass without looking up* Rooms I have. Trouble I don't rent to. Which are you?",
    })
    expect(briefing.secrets).toEqual(mara.secrets)
  })

  it('is read in Chinese too', () => {
    const text = `[场景]\n在场：柳三娘, 你 <character:liu>, 阿福 <character:afu>。\n在座：林渡 <seat:1>。\n\n[世界]\n- 门 (version 2): "闩着"\n\n[你上次开口之后]\n阿福：掌柜的！ [现在：门 = "开着"]\n林渡（对你耳语）：小心。\n* 钟响了。 *\n\n[轮到你了]\n阿福提到了你。\n对你的要求：说说钟\n现在请以柳三娘的身份开口。`
    const reading = readRequest(request(liu, [cue(text, 's')]))
    expect(reading.language).toBe('zh')
    expect(reading.briefing).toMatchObject({
      others: [
        { name: '阿福', id: 'character:afu' },
        { name: '林渡', id: 'seat:1' },
      ],
      world: [{ key: '门', version: 2, value: '闩着' }],
      heard: [
        { kind: 'line', by: '阿福', text: '掌柜的！' },
        { kind: 'whisper', by: '林渡', text: '小心。' },
        { kind: 'narration', by: '', text: '钟响了。' },
      ],
      changedKeys: ['门'],
      instruction: '说说钟',
    })
  })
})

describe('a history', () => {
  it('gives the newest briefing, its seed, the own texts and this turn’s calls', () => {
    const messages = [
      own('Come in.'),
      cue('[Since you last spoke]\nIvo: Old.\n\n[Your cue]\nGo.', 'old'),
      ownCall('leave', {}, 'a'),
      result('no', true, 'a'),
      own('I stay.'),
      cue('[Since you last spoke]\nIvo: New.\n\n[Your cue]\nGo.', 'new'),
      ownCall('whisper', { to: ['character:ivo'], text: 'Hush.' }, 'b'),
      result({ status: 'staged' }, false, 'b'),
    ]
    const reading = readRequest(request(mara, messages))
    expect(reading.seed).toMatch(/^new\//)
    expect(reading.greeting).toBe('Come in.')
    expect(reading.ownTexts).toEqual(['Come in.', 'I stay.', 'Hush.'])
    expect(reading.briefing.heard).toEqual([{ kind: 'line', by: 'Ivo', text: 'New.' }])
    expect(reading.steps).toEqual([
      {
        name: 'whisper',
        args: { to: ['character:ivo'], text: 'Hush.' },
        result: '{"status":"staged"}',
        failed: false,
      },
    ])
  })

  it('of a plain chat is a person’s line, in whichever words it comes', () => {
    const reading = readRequest({
      messages: [person('Note: this has\ntwo lines.')],
      system: 'You are Alice Vane. You sell maps.',
    })
    expect(reading.persona.name).toBe('Alice Vane')
    expect(reading.briefing.heard).toEqual([
      { kind: 'line', by: '', text: 'Note: this has\ntwo lines.' },
    ])
  })
})
