/** What was said last, and what kind of answer it calls for. */
import type { Language } from 'dsh-tavern-protocol'
import type { Heard } from './briefing-reading.ts'
import { isPlainVerb } from './common-words.ts'

export type SpeechAct =
  | 'greet'
  | 'farewell'
  | 'thanks'
  | 'apology'
  | 'hostile'
  | 'praise'
  | 'request'
  | 'loss'
  | 'plan'
  | 'tell'
  | 'yesno'
  | 'where'
  | 'who'
  | 'why'
  | 'when'
  | 'how'
  | 'howmany'
  | 'what'
  | 'statement'
  | 'event'
  | 'whisper'
  | 'silence'

type Sign = readonly [SpeechAct, RegExp]

/** Tried in this order on the question, or on what was said. */
const questions: Readonly<Record<Language, readonly Sign[]>> = {
  en: [
    [
      'tell',
      /\b(?:tell (?:me|us)|what do you know|what can you tell|have you heard|what happened)\b/i,
    ],
    ['request', /\b(?:would|could|can|will) you\b(?!.*\b(?:be|have|like|know|believe)\b)/i],
    ['howmany', /\bhow (?:many|much|long|far|old|often)\b/i],
    ['where', /\bwhere\b/i],
    ['who', /\bwho(?:se|m)?\b/i],
    ['why', /\bwhy\b|\bhow come\b/i],
    ['when', /\bwhen\b|\bwhat time\b/i],
    ['how', /^(?:\W|and |so |but )*how\b/i],
    ['what', /\bwhat|which\b/i],
  ],
  zh: [
    ['tell', /(?:说说|讲讲|告诉我|知道.{0,8}什么|听说过|出了什么事|发生了什么|怎么回事)/u],
    ['request', /(?:能不能|可不可以|能否|可以)(?:帮|给|替|把|让|带|借)/u],
    ['howmany', /(?:多少|几[个位天年次口碗两]|多久|多远|多大)/u],
    ['where', /(?:哪里|哪儿|在哪|去哪|何处)/u],
    ['who', /(?:谁|哪位|什么人)/u],
    ['why', /(?:为什么|为何|干嘛|怎么会|凭什么)/u],
    ['when', /(?:什么时候|何时|几点|几时)/u],
    ['how', /(?:怎么|如何|怎样)/u],
    ['what', /(?:什么|啥|哪个|哪一)/u],
  ],
}

const remarks: Readonly<Record<Language, readonly Sign[]>> = {
  en: [
    [
      'farewell',
      /\b(?:good ?bye|farewell|good night|see you|until tomorrow|i(?:'m| am) leaving|take care)\b/i,
    ],
    ['thanks', /\b(?:thank you|thanks|much obliged|grateful)\b/i],
    ['apology', /\b(?:sorry|forgive me|apolog\w+|my fault)\b/i],
    [
      'loss',
      /\b(?:died|drowned|is dead|are dead|killed (?:him|her|them|my)|buried|mourn\w*|passed away|funeral|lost my (?:\w+ )?(?:brother|sister|father|mother|wife|husband|son|daughter|friend|child|family|home|village))\b/i,
    ],
    [
      'hostile',
      /\b(?:liar|lying|thief|coward|fool|idiot|bastard|kill you|shut up|damn you|i(?:'ll| will) (?:break|cut|hurt)|cheat|traitor)\b/i,
    ],
    [
      'praise',
      /\b(?:well done|brilliant|wonderful|beautiful|magnificent|the best|good work|i like you|proud of)\b/i,
    ],
    ['tell', /\b(?:tell (?:me|us)|let me hear|sing|a story)\b/i],
    [
      'request',
      /^(?:\W|please|now|come on|go on|\p{Lu}\p{L}+,)*\s*(?:give|bring|pour|open|close|shut|show|help|take|put|get|lock|light|let|stop|stay|come|hand|fetch|look|listen|watch|wait|keep|read|pass|find|follow|sit|leave|play|check|set|turn)\b|\b(?:please|i want you to|i need you to|would you kindly)\b/iu,
    ],
    [
      'plan',
      /\b(?:let's|let us|we should|we could|we must|we have to|i(?:'ll| will) go|shall we|my plan|we(?:'ll| will) need)\b/i,
    ],
    [
      'greet',
      /^(?:\W)*(?:hello|hi|hey|greetings|good (?:evening|morning|day|afternoon)|well met|welcome|evening|morning)\b/i,
    ],
  ],
  zh: [
    ['farewell', /(?:再见|告辞|后会有期|我走了|先走一步|晚安|保重)/u],
    ['thanks', /(?:谢谢|多谢|感谢|谢了|有劳)/u],
    ['apology', /(?:对不起|抱歉|失礼|是我的错|得罪)/u],
    [
      'loss',
      /(?:死了|死在|淹死|再没(?:有)?(?:出来|回来)|没能出来|去世|过世|没了命|下葬|送葬|丧|走镖没回来|再也没回来)/u,
    ],
    ['hostile', /(?:骗子|撒谎|胡说|放屁|滚|杀了你|小偷|混蛋|叛徒|废物|找死|闭嘴)/u],
    ['praise', /(?:厉害|真棒|太好了|了不起|佩服|漂亮|干得好|好手艺)/u],
    ['tell', /(?:说说|讲讲|讲个|告诉我|唱)/u],
    [
      'request',
      /(?:^|[，,])(?:请|麻烦|劳驾|快|帮|给|来[一碗壶杯个]|拿|把|别|开|关|让|替|倒|上酒|带我|坐下|住手)/u,
    ],
    ['plan', /(?:我们得|咱们得|不如我们|不如咱们|咱们去|我们去|一起去|我有个主意|我打算)/u],
    ['greet', /^(?:[^\p{L}]*)(?:你好|您好|大家好|各位|嗨|早|晚上好|早上好|幸会|久仰|有人吗)/u],
  ],
}

export function speechActOf(heard: Heard | undefined, language: Language): SpeechAct {
  if (heard === undefined) return 'silence'
  if (heard.kind === 'narration') return 'event'
  if (heard.kind === 'whisper') return 'whisper'
  const text = spokenPart(heard.text)
  if (text === '') return 'event'
  const question = text.match(/[^.!?。！？…\n]*[?？]/gu)?.at(-1)
  if (question !== undefined) return signIn(questions[language], question) ?? 'yesno'
  return (
    signIn(remarks[language], text) ??
    (language === 'en' && isOrder(text) ? 'request' : 'statement')
  )
}

/** `Bar the gate`, `Tess, hold this`: a plain verb first, what it acts on after it. */
function isOrder(text: string): boolean {
  const order =
    /^\W*(?:please |now |\p{Lu}[\p{L}-]+, )*(\p{L}+) (?:the|a|an|my|your|his|her|our|their|this|that|these|those|me|us|it|them|him|up|down)\b/iu
  return text
    .split(/[.!;]/u)
    .some((sentence) => isPlainVerb(order.exec(sentence.trim())?.[1] ?? ''))
}

const asking: ReadonlySet<SpeechAct> = new Set([
  'yesno',
  'where',
  'who',
  'why',
  'when',
  'how',
  'howmany',
  'what',
  'tell',
])

export function isQuestion(act: SpeechAct): boolean {
  return asking.has(act)
}

const rituals: ReadonlySet<SpeechAct> = new Set([
  'greet',
  'farewell',
  'thanks',
  'apology',
  'hostile',
  'praise',
  'loss',
])

/** Has an answer that suits nothing else. */
export function isRitual(act: SpeechAct): boolean {
  return rituals.has(act)
}

/** Without what was only done: `*looks up* Good evening` → `Good evening`. */
export function spokenPart(text: string): string {
  const spoken = text
    .replaceAll(/\*[^*\n]*\*|（[^（）]*）/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : ''
}

function signIn(signs: readonly Sign[], text: string): SpeechAct | undefined {
  return signs.find(([, sign]) => sign.test(text))?.[0]
}
