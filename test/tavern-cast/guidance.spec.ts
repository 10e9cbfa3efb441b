import { cueReason, type Language } from 'dsh-tavern-protocol'
import { expect, test } from 'vitest'
import { guidance } from '../../packages/dsh-tavern-cast/src/guidance.ts'

/** Everything a cue may say in a language, one a line. */
function allOf(language: Language, name: string): string {
  const words = guidance[language]
  const reasons = cueReason.options.flatMap((reason) => [
    words.reason(reason, name),
    words.reason(reason, undefined),
  ])
  const rest = [
    words.answerPrivately(name),
    words.instruction('…'),
    words.speakNow(name),
    words.cutOff,
    words.whispers(name),
    words.leftOut(0, true),
    words.leftOut(1, false),
    words.leftOut(2, false),
    words.leftOut(2, true),
    words.more(3),
  ]
  return [...new Set([...reasons, ...rest])].join('\n')
}

test('what a character may read of its cue in English', () => {
  expect(allOf('en', 'Ellis')).toMatchInlineSnapshot(`
    "You were named by Ellis.
    You were named.
    You feel like speaking.
    It falls to you to say something.
    It is your turn.
    You have not spoken for a while.
    The moment is yours.
    Ellis whispered to you.
    Someone whispered to you.
    The narrator looks to you.
    Only Ellis will hear your answer.
    Asked of you: …
    Speak now, as Ellis.
    (You were cut off before you spoke.)
    whispers to Ellis
    (Earlier moments are left out here.)
    (1 earlier moment is left out here.)
    (2 earlier moments are left out here.)
    (At least 2 earlier moments are left out here.)
    (3 more left out here)"
  `)
})

test('what a character may read of its cue in Chinese', () => {
  expect(allOf('zh', '林渡')).toMatchInlineSnapshot(`
    "林渡提到了你。
    有人提到了你。
    你想说点什么。
    该你说点什么了。
    轮到你了。
    你有一阵没开口了。
    这一刻交给你。
    林渡对你耳语。
    有人对你耳语。
    叙述者看向了你。
    只有林渡会听到你的回答。
    对你的要求：…
    现在请以林渡的身份开口。
    （你还没开口就被打断了。）
    对林渡耳语
    （这里略去了更早的片刻。）
    （这里略去了更早的1个片刻。）
    （这里略去了更早的2个片刻。）
    （这里略去了更早的至少2个片刻。）
    （这里略去了另外3项）"
  `)
})
