/** Words that carry no topic, and English verbs: enough grammar to choose what to speak about. */
import type { Language } from 'dsh-tavern-protocol'

const commonEn = new Set(
  `a about above across actually after again against ago ah ahead ain all almost alone along already also
  although always am among an and another any anybody anyone anything anyway anywhere are aren around as ask
  at away aye back bad be because been before behind being below beside besides best better between beyond
  big both bring brought but by call can cannot certain come could couldn did didn different do does doesn
  doing don done down each either else enough even ever every everybody everyone everything everywhere
  except exactly far few fine first for from full further get gets getting go goes going gone good got great
  had hadn hardly has hasn have haven having he hello her here hers herself hey hi him himself his how however
  hundred i if in indeed inside instead into is isn it its itself just keep kind know known last late later
  least less let like likely little long look lot made make many matter may maybe me mean might mine moment
  more most much must my myself name near nearly need never new next no nobody none nor not nothing now
  nowhere o of off often oh ok okay old on once one ones only or other others our ours ourselves out outside
  over own part perhaps place please point pretty put quite rather real really right said same saw say says
  see seem seen sense shall she should shouldn since so some somebody somehow someone something sometimes
  somewhere soon sort still stuff such sure take talk tell than thank thanks that the their theirs them
  themselves then there these they thing things think this those though thought three through till time times
  to today together told too toward towards true try two under until up upon us use used usually very wait
  want wants was wasn way ways we well went were weren what whatever when whenever where wherever whether
  which while who whoever whole whom whose why will with within without won word words would wouldn wrong
  yes yet you your yours yourself yourselves ever evening morning tonight tomorrow yesterday bit sir madam
  friend ll ve re first second half also anyone's that's it's there's what's who's let's i'm i've i'd i'll
  you're you've you'd you'll we're we've we'd we'll they're they've don't doesn't didn't can't won't isn't
  course pleasure harm luck sense hurry breath available possible impossible sorry ready able afraid alone alive glad happy sad wrong aren't wasn't weren't wouldn't couldn't shouldn't haven't hasn't hadn't`.split(
    /\s+/,
  ),
)

const commonZh = new Set(
  `的 了 是 在 我 你 他 她 它 们 我们 你们 他们 她们 咱们 这 那 这个 那个 这些 那些 这里 那里 这儿 那儿 哪 哪里 哪儿
  什么 怎么 怎样 怎么样 为什么 为何 谁 几 多少 一 一个 一下 一点 一些 一次 一种 两 三 个 位 只 件 条 次 些 点 和 与 跟 同
  或 或者 还是 但 但是 可 可是 不过 因为 所以 如果 要是 就 就是 才 都 也 还 又 再 很 太 真 真的 非常 最 更 比 把 被 让 给 对 向
  从 到 往 上 下 里 外 中 前 后 左 右 去 来 过 着 得 地 吗 呢 吧 啊 呀 哦 嗯 哎 唉 喂 嘛 啦 哈 不 没 没有 别 不要 不是 不会 不能 要 会
  能 可以 可能 应该 必须 想 想要 知道 觉得 认为 以为 说 说说 讲 告诉 问 看 看看 看到 看见 听 听到 听说 做 干 用 有 有人 有点 有没有 是不是
  能不能 会不会 要不要 自己 大家 别人 人 人家 事 事情 东西 时候 时间 现在 今天 今晚 明天 昨天 刚才 已经 曾经 一直 总是 从来 马上 立刻
  这样 那样 这么 那么 一样 一起 起来 出来 下来 上来 进来 过来 回来 出去 进去 上去 下去 过去 好 好的 好了 行 对了 是的 请 请问 谢谢 多谢
  对不起 抱歉 你好 您 您好 再见 先生 小姐 姑娘 老板 老板娘 朋友 兄弟 客官 呵呵 哈哈 嘿 当然 其实 只是 只有 只要 而 而且 并 并且 然后
  于是 以及 等 等等 之 其 此 所 以 于 为 则 乃 者 某 每 各 另 另外 别的 其他 所有 全部 任何 一切 带 拿 拿着 放 走 吃 喝 坐 站 找 买 卖 先 后来 今 名字 一把 还有 相信 真心 根本 突然 忽然 赶紧 赶快 特别 十分 有些 确实 到底 究竟 居然 竟然 果然 也许 大概 恐怕
  喜欢 讨厌 害怕 担心 希望 愿意 决定 准备 开始 结束 继续 停下 离开 回家 出门 撒谎 骗人 帮忙 帮助 保护 打开 关上 发现 发生 记得 忘记 忘了 明白 清楚 理解
  小心 当心 注意 休息 睡觉 说话 开口 讲话 笑话 打听 商量 隐瞒 瞒着 通到 送来 卷了 一定 肯定 绝对 只能 不得不 不管 无论 怎么办 为了 关于 对于 有时 平时 曾 算是 算了 厉害 漂亮 好看 可怕 奇怪 冷 热 快点 慢点 从前 以前 如今 后来 近来 可否 师傅 姓 路上 失陪 留情 哪个 言尽于此 闩上 闩着 雅兴 声张 取笑 若有 若是 倘若 难道 岂 老娘 老子 在下 本座 小女子 人家 流水 有人 一会儿 方才 终究 反正 凭什么 掌柜 客官 兄台 阁下 公子 大人`.split(
    /\s+/,
  ),
)

const verbs = new Set(
  `accuse admit answer arrive ask bang bar become beg begin believe belong bend bite bleed blow bolt borrow bounce break breathe bring build
  burn burst bury buy call care carry catch change chase choose clean climb close collect come cook count cover crack
  crash crawl creak creep cross c cry cut dance deal defend deserve die dig disappear do douse drag drip draw drift drink drive drop drown
  eat end enter expect explain fade fail fall falter fear feed feel fight fill find fix flee flicker float flood fly follow forget forgive
  freeze gather get give glance gleam glitter go grin groan growl grow g guard guess hang happen hate have hear help hide hit hold hope howl hum hunt hurry
  hurt imagine invite join jump keep kill kiss knit know laugh lead lean learn leave lend let lie lift light listen
  live load lock lose love make marry matter mean meet mend miss move mutter need notice obey open owe own paint pass
  pay pick play polish pour pray prefer pretend promise protect prove pull push put quiver quit raise reach rattle read refuse
  regret remain remember repair repeat reply rest return ride ring rise roar rob rot run save say scrub see sell
  send serve settle shake shatter shiver share shine shout show shut sigh sing sit sleep slam slip smell smile snap sneak snore spoil speak
  spend spill stand stare start stay steal stink stop stretch stumble suffer swear sweep swim talk taste teach tell thank
  think throw trade travel treat tremble trust try turn understand vanish visit wander wait wake walk want warn wash waste wear
  weep whimper whisper whistle win wipe wish wonder work worry write yawn`.split(/\s+/),
)

const irregular = new Set(
  `ate became began bit bled blew bought broke brought built burnt came caught chose dealt dealing did died drank
  drew drove fed fell felt fled flew forgot fought found froze gave gone got grew had heard held hid hung kept
  knew laid lain led left lent lost lied made meant met owed paid ran rang rode rose sang sat saw sent sewn shone
  shook shot shown shut slept slid sold sought spent spoke spoken stank stole stolen stood stuck stung swam swept
  swore taken taught thought threw thrown told took torn understood went woke won wore worn wrote written`.split(
    /\s+/,
  ),
)

/** Too common to be what a line is about. */
export function isCommonWord(word: string, language: Language): boolean {
  return language === 'zh' ? commonZh.has(word) : commonEn.has(word.toLowerCase())
}

/** The plain form of a verb, as orders begin with it. */
export function isPlainVerb(word: string): boolean {
  return verbs.has(word.toLowerCase())
}

/** The verb an English word is a form of, where it is one this package knows. */
export function verbOf(word: string): string | undefined {
  const form = word.toLowerCase()
  if (verbs.has(form) || irregular.has(form)) return form
  const stems = [
    [/ies$/, 'y'],
    [/ied$/, 'y'],
    [/(?:es|ed|ing)$/, ''],
    [/(?:s|d)$/, ''],
    [/ing$/, 'e'],
    [/(.)\1(?:ed|ing)$/, '$1'],
  ] as const
  return stems
    .map(([end, rest]) => form.replace(end, rest))
    .find((stem) => stem !== form && verbs.has(stem))
}
