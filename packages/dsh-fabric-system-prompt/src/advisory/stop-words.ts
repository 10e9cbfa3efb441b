/** Words that tell nothing of what is wanted. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all already also always an and any anything are as at away be because been before being
  but by can could did do does doing done each either else etc ever every everything for from get give given go goes
  going good got had has have having he her here him his how i if in into is it its itself just keep let lets like
  made make makes many may me might more most much must my need needs never no not now of off on once one only onto
  or other our out over own per please quite rather same see she should since so some something still such take tell
  than that the their them then there these they thing things this those though through to together too two under
  until up upon us use used uses using very via want wants was way we well were what when where which while who whom
  whose why will with within without would yet you your yours first three show start begin new please thanks thank
  一个 一些 一下 这个 那个 这些 那些 这项 哪个 什么 怎么 为什么 现在 还有 所有 我们 你们 他们 它们 我想 已经 然后 之后 可以 请你 帮我 一直 出现 正在 好了 都能 看到 其他
  これ それ あれ この その ください です ます して から まで ので どの いま
  이것 그것 해줘 지금 어떤 모든 그리고`.split(/\s+/),
)
