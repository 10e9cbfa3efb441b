/** What the tavern itself says to who sits at a terminal, in the scene's language. */
import type { Language, RequestOutcome } from 'dsh-tavern-protocol'

export interface SeatWords {
  readonly opening: string
  readonly stopped: string
  readonly kept: string
  readonly nobody: string
  readonly capped: (cap: string) => string
  /** How a scene goes on whose tokens are spent. */
  readonly spent: string
  readonly you: string
  /** Before the colon of a whisper whose hearers are not told yet. */
  readonly whispers: string
  readonly whispersTo: (names: string) => string
  readonly notSaid: string
  readonly couldNotAnswer: (name: string, problem: string) => string
}

export const seatWords: Readonly<Record<Language, SeatWords>> = {
  en: {
    opening: 'Type a line, or /help. Ctrl-C stops an answer; /leave leaves.',
    stopped: 'Stopped. Ctrl-C again leaves; the scene is kept.',
    kept: 'The scene is kept. Play it again to go on.',
    nobody: 'Nobody answers.',
    capped: (cap) => `The cap '${cap}' is reached.`,
    spent: '--new begins again with none spent, under the caps that scene.yml then has.',
    you: 'you',
    whispers: '(whispers)',
    whispersTo: (names) => `(whispers to ${names})`,
    notSaid: '… (not said)',
    couldNotAnswer: (name, problem) => `${name} could not answer: ${problem}`,
  },
  zh: {
    opening: '输入一句话，或输入 /help。按 Ctrl-C 停下回答；/leave 离开。',
    stopped: '已停下。再按一次 Ctrl-C 离开；场景会保留。',
    kept: '场景已保留，再次打开即可继续。',
    nobody: '没有人回答。',
    capped: (cap) => `已到上限“${cap}”。`,
    spent: '用 --new 重新开始，用量从零算起，上限以届时的 scene.yml 为准。',
    you: '你',
    whispers: '（悄声）',
    whispersTo: (names) => `（悄声对${names}说）`,
    notSaid: '……（没有说出口）',
    couldNotAnswer: (name, problem) => `${name}没能回答：${problem}`,
  },
}

export type Ending = Pick<RequestOutcome, 'status' | 'cap'>

/** Why nobody says more; '' where somebody answered, or the person stopped it. */
export function endingText(words: SeatWords, { status, cap }: Ending): string {
  if (status === 'nobody') return words.nobody
  if (status !== 'capped' || cap === undefined) return ''
  return cap.endsWith('tokens') ? `${words.capped(cap)} ${words.spent}` : words.capped(cap)
}
