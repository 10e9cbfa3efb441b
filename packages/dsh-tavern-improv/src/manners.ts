/** Which manners a card asks for, by the words it uses for its character. */
import { type Manner, manners as all } from './grammar.ts'
import type { Persona } from './persona-reading.ts'

const signs: Readonly<Record<Exclude<Manner, 'any'>, RegExp>> = {
  mechanical:
    /\b(?:robot\w*|android|automaton|machine|construct|golem|drone|mechanical|firmware|protocol|cyborg|unit)\b|机器人|机械|人工智能|傀儡|型号|系统/giu,
  rough:
    /\b(?:gruff|blunt|rough|crude|mercenary|soldier|pirate|smuggler|brawler|dwarf|orc|thug|surly|tough|hardened|grizzled|brusque|hot-?tempered|swears?|sailor|sarcastic)\b|粗鲁|粗犷|豪爽|暴躁|火爆|泼辣|嘴硬|直率|镖师|刀客|土匪|海盗|佣兵|嘴毒/giu,
  formal:
    /\b(?:formal|polite|courteous|courtly|noble\w*|butler|scholar\w*|priest\w*|judge|proper|dignified|precise|pedantic|aristocrat\w*|knight|diplomat|educated|professor|magistrate)\b|文雅|儒雅|客气|书生|先生|学者|礼貌|端庄|严谨|一丝不苟|官员|贵族|古板/giu,
  playful:
    /\b(?:playful|cheerful|mischievous|bubbly|bard|trickster|jok\w+|witty|flirt\w*|teas\w+|carefree|energetic|chatty|lively|fool|jester|curious|cheeky)\b|活泼|调皮|俏皮|开朗|爱开玩笑|机灵|顽皮|话多|话痨|好奇|狡黠/giu,
  somber:
    /\b(?:melanchol\w+|somber|sombre|weary|haunted|griev\w+|sad|lonely|brooding|gloomy|cryptic|mysterious|enigmatic|oracle|seer|stoic|quiet|solemn|cold|distant|widow\w*|mourn\w+)\b|忧郁|阴沉|神秘|孤僻|冷淡|冷漠|寡言|沉默|悲伤|沧桑|清冷|阴郁/giu,
  timid:
    /\b(?:timid|shy|nervous|anxious|meek|hesitant|stammer\w*|stutter\w*|fearful|jumpy|awkward|soft-spoken|insecure)\b|害羞|胆小|怯|内向|紧张|结巴|腼腆/giu,
  warm: /\b(?:warm|kind\w*|gentle|motherly|fatherly|caring|generous|hospitable|friendly|patient|tender|loving|healer|nurse|grandmother|hearty)\b|温柔|温和|善良|热情|慈祥|亲切|体贴|心软|和蔼|好客/giu,
}

/** The two best suited, best first; none for a card that says nothing of it. A machine is nothing else. */
export function mannersOf(persona: Persona): readonly Manner[] {
  const personality = affirmed(persona.personality)
  const description = affirmed(persona.description)
  const scored = all.flatMap((manner) => {
    if (manner === 'any') return []
    const sign = signs[manner]
    const score =
      2 * (personality.match(sign)?.length ?? 0) + (description.match(sign)?.length ?? 0)
    return [{ manner, score }]
  })
  const [first, second] = scored
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
  if (first === undefined) return []
  const isMixed =
    first.manner !== 'mechanical' &&
    second !== undefined &&
    second.score >= 2 &&
    second.manner !== 'mechanical'
  return isMixed ? [first.manner, second.manner] : [first.manner]
}

/** Without what the card says it is not. */
function affirmed(text: string): string {
  return text.replaceAll(
    /\b(?:not|never|no|without|hates|dislikes|lacks)\b[^.,;\n]*|(?:从不|不会|不懂|讨厌|没有)[^，。；、\n]*/giu,
    ' ',
  )
}
