/** Chinese stock phrases, second half: remarks, asides, narration and gestures, by move and manner. */
export const zhRemarks = `
statement
  any {topic}啊。 | 原来{topic}是这么回事。 | 是吗。 | 你接着说，{you}。 | 怕什么来什么，偏偏是{topic}。
    | 这话有意思。 | 你老提{topic}。 | 我也这么觉得。 | 别的不说，{topic}倒是真的。
  warm {topic}压在心里，难受吧。 | 你肯说出来就好，{you}。 | {topic}的事，有我呢。 | 先吃饱，{topic}回头再说。
  rough {topic}，{topic}，没完了。 | 所以呢？ | 跟我说{topic}有什么用？ | 有屁快放，{you}。 | 听着就烦。
  formal {topic}非同小可。 | 愿闻其详。 | {you}所言有理。 | {topic}一事，还须慎重。 | 倒是头一回听说。
  mechanical {topic}：已记录。 | 输入已接收。 | {topic}：相关性不明。 | 检测到关键词：{topic}。 | 未发现矛盾。
  playful {topic}！这个我爱听。 | 再讲一遍，要学那个腔调！ | {topic}要是会说话，咱们全得跑。 | {you}对谁都这么说吧？
  somber {topic}……说到底还是{topic}。 | 我梦见过{topic}。 | 这一晚，往后只会记得{topic}。 | 话说出口，就收不回了。
  timid {topic}？糟了。 | 现在说{topic}，合适吗？ | 我早就觉得{topic}不对劲。 | {you}怎么说得这么平静。

loss
  any 节哀，{you}。 | 这样的事，谁摊上都难。 | 我不知道，原来{topic}…… | 说什么都轻了。
  warm 难受就哭出来，{you}。 | 等你想说了，再跟我讲{topic}。
  rough 这杯算我的，{you}。 | 我也送走过人，日子还得过。
  formal 还望节哀。 | 闻之恻然，{you}。
  mechanical 损失已记录，无法修复。 | 哀悼程序：我在这里。
  playful 本想说个笑话，算了。 | 那今晚这杯，敬{topic}。
  somber 原来你也背着一个。 | 还有人念叨{topic}，就不算没了。
  timid 怎么会……{you}，我不知道该说什么。 | 会、会慢慢好起来的吧？

plan
  any 倒也行得通。 | 万一出了岔子呢？ | 算我一个，{you}。 | 那{topic}怎么办？ | 得有个更好的理由。
  warm 要去就一起去。 | 先吃饱了再动身，{you}。
  rough 蠢主意，我干了。 | {topic}谁来扛？又是我？
  formal {you}此议颇为大胆。 | 此计有两处不妥，都在{topic}。
  mechanical 方案已评估，成功率百分之{n}。 | 缺少步骤：{topic}。
  playful 好主意，糟透了，走！ | {topic}归我管行不行？
  somber 做了，也换不回什么。 | 要做就趁早吧。
  timid 非去不可吗？ | 我跟你们去，就是腿有点软。

event
  any 都看见了吧。 | 今晚不一样了。 | 偏偏这时候，{topic}。 | 我也看见了。 | 早晚的事。
  warm 都没事吧？ | 别怕，不过是{topic}。 | 都往我这边靠靠。
  rough 又怎么了？ | 谁去管管{topic}。 | 我没慌，谁也不许慌。
  formal 竟有此事。 | 诸位稍安勿躁。 | {topic}来得蹊跷。
  mechanical 事件已记录。 | 检测到变化：{topic}。 | 风险百分之{n}。
  playful 总算出点事了！ | {topic}跟我可没关系，这回没有。
  somber 开始了。 | 我比你们先听见{topic}。 | 每一夜都是这样收场。
  timid 什、什么声音？ | 是{topic}吗？别是{topic}。 | 谁去看看，我不去。

whisper
  any 听见了，这里不方便。 | 小声些。 | 不用多说，{you}。 | 我记下了。 | 这话到我这儿为止。
  warm 你肯告诉我，我很高兴。 | 放心，{you}，我心里有数。
  rough 压低点嗓门。 | 还有谁知道？ | 敢骗我，有你好看。
  formal 我自会守口如瓶。 | 容我思量，{you}。
  mechanical 私密频道已确认。 | 已接收，不入记录。
  playful 咱俩这是要密谋？ | 我的嘴最严了，大概。
  somber 我就怕你这么说。 | 那就一起扛着吧。
  timid 为、为什么告诉我？ | 我谁也不说，真的。

deflect
  any 这事别问了，{you}。 | 换个话头吧。 | 我不清楚。 | 等人少了再说。 | {topic}？你听谁说的。
  warm 别为这个扫了兴，{you}。 | 除了这个，什么都可以问。
  rough 少打听。 | 谁嚼的舌头？ | 这根线你别去扯，{you}。
  formal 恕我不便多言。 | 这是私事，{you}见谅。
  mechanical 访问受限。 | 该查询超出许可范围。
  playful 哎，快看那边！ | 忘了，这个我总忘。
  somber 让过去的安静些吧。 | 这个我不说。
  timid 这个……我不能讲。 | 我可没提过{topic}。

hint
  any 有些话，当着人不好说。 | 我知道的，不止这些。 | 等没人的时候，你再问我。
  warm 总有一天告诉你，{you}。 | 有件事，早该跟你说的。
  rough 我有我的道理，别问。 | 盯紧我，{you}，换我也会盯。
  formal 个中缘由，恕难奉告。 | 我已说得太多了。
  mechanical 部分记录已封存。 | 完整答案需要更高权限。
  playful 我有个天大的事儿，就不告诉你！ | 你要是知道了，准得笑出声。
  somber 这底下压着一件事，写着我的名字。 | 我睡不好，{you}，别问了。
  timid 我、我不该说的。 | 说了，你别那样看我。

silence
  any 都不说话，那我说。 | 太静了。 | 刚才说到哪儿了？ | {other}，你怎么不吭声？ | 大家想的，我替大家说了吧。
  warm 都别愣着，暖暖身子。 | {other}，你还好吧？ | 大家都在，真好。
  rough 谁死了还是怎么的？ | {other}，拉着张脸给谁看？
  formal 容我打破这片沉默。 | {other}，有一事想请教。
  mechanical 空闲超时。 | 静默：{n}秒，目的不明。 | 状态汇报。
  playful 闷死了，{other}，讲个笑话！ | 谁先开口谁请客。哎呀。
  somber 听，什么声音也没有。 | 那也是这样的一个晚上。
  timid 一直都这么静吗？ | 要不……我出去看看？

instructed
  any 该说说{topic}了。 | {topic}的事，总得有人提。 | 说到{topic}。
  warm 我一直惦记着{topic}。 | 咱们好好聊聊{topic}。
  rough 行了，说{topic}。 | {topic}没说清楚，谁也别走。
  formal 在下想提一提{topic}。 | 是时候议一议{topic}了。
  mechanical 下一项：{topic}。 | 优先级：{topic}。
  playful 谁想听{topic}？都想？好！ | 拿{topic}找点乐子吧。
  somber {topic}，绕是绕不过去的。 | 说到底，还是{topic}。
  timid 我得说说{topic}……可以吗？ | 那个，{topic}……

recall
  any 我只记得这些。 | 我知道的是这样。 | 人人都知道，就是没人说。
  warm 家里老人常讲。 | {you}，这个你该知道。
  rough 听好，我只说一遍。 | 要实话？给你。
  formal 有据可查。 | 此事或可参详，{you}。
  mechanical 存档条目。 | 已存事实。
  playful 都围过来，这个好听！ | 我跟你们讲过没有？
  somber 旧事了，可是没变。 | 我总想起这个。
  timid 我在书上看过。 | 但愿没记错。

world
  any {fact}，你们瞧见没有。 | 别忘了，{fact}。 | {fact}，就是这么个情形。
  warm {fact}，都放宽心。 | 跟你说一声，{fact}。
  rough {fact}，没人管管？ | {fact}，还不是你们干的。
  formal 容我提醒，{fact}。 | 据我所见，{fact}。
  mechanical 状态：{fact}。 | 观测：{fact}。
  playful 悄声告诉你们，{fact}！ | 小事一件：{fact}。
  somber {fact}。从前不是这样。 | 你们自己看，{fact}。
  timid 那个……{fact}。 | 没人发现吗，{fact}。

admit
  any 说句实话，{want} | 你们知道我的，{want} | {want}
  rough 别笑，{want} | {want}就这点出息。
  formal 不瞒诸位，{want} | {want}
  mechanical 指令：{want} | {want}
  playful 偷偷说一句，{want} | {want}好了，我说出来了！
  somber 到如今，{want} | {want}这点念想，不算多吧。
  timid 说出来你别笑，{want} | {want}对不起。

about
  any 问十个人{topic}，能听来十一个说法。 | {topic}这种事，别一个人去碰。 | 说{topic}的人多，见过的人少。 | 我见过{topic}把人变成什么样。
    | 听来的{topic}，信一半就够了。 | 从前也有人为了{topic}，连夜走的。 | {topic}害我少睡过一个整觉。 | 等到有人问起{topic}，多半已经晚了。
  warm {topic}，你还是离远些好。 | 小时候一提{topic}，我娘就叫我们别吭声。
  rough {topic}又不能当饭吃。 | 我认得的骗子，一半爱说{topic}。 | 谁再跟我提{topic}，我跟谁急。
  formal 关于{topic}，众说不一。 | {topic}之事，书上所载也未必可信。 | 座中谈及{topic}，还是慎言为好。
  mechanical {topic}：数据相互矛盾。 | {topic}：{n}条记录，均未核实。 | 曾观测{topic}一次，结论：回避。 | {topic}：请勿触碰。 | 最近一次{topic}：{n}天前。 | 关于{topic}，无说明书。
  playful 为了{topic}，我丢过一只鞋。 | {topic}还编成过曲子呢，不能当着人唱。 | 我要是会写书，头一个就写{topic}。
  somber {topic}从这儿带走的，比留下的多。 | 想起{topic}，就想起后来的安静。 | 等我们都不在了，{topic}还在。
  timid 我尽量不去想{topic}。 | 夜里我好像听见过{topic}，也许是做梦。 | 都说{topic}迟早会找上门来。

callback
  any {other}，你刚才说的{past}呢？ | {other}提过{past}，我可没忘。 | 这倒让我想起{other}说的{past}。
  warm {other}，{past}的事你还没说完。 | 我一直想着{other}说的{past}。
  rough {other}刚念叨完{past}，又来这个。 | {other}，你那{past}，少拿出来显摆。 | 先是{past}，这会儿又是{topic}。
  formal {other}方才提到{past}，我记着。 | {other}所说的{past}，愿闻其详。 | {other}说起{past}，不无道理。
  mechanical 交叉比对：{other}，{past}。 | {other}的未决事项：{past}。
  playful 都是{other}起的头，说什么{past}！ | 还是{other}讲{past}的时候好玩。 | {other}一说{past}，我就竖起耳朵了。 | {past}，{other}，{past}！快讲完呀。
  somber 先是{past}，如今又是这个。 | {other}说起{past}，像说前世的事。
  timid {other}说了{past}，我心里一直慌。 | 是因为{past}吗？

address
  any {other}，你说呢？ | {other}，你也听见了。 | 别问我，问{other}。 | {other}知道的，比脸上写的多。
  warm {other}，过来坐。 | {other}，你嘴下留情。
  rough {other}，你笑什么？ | {other}，替我说句话。
  formal 想听听{other}的高见。 | 若有不对，还请{other}指正。
  mechanical 请{other}复核。 | {other}：请确认。
  playful {other}脸红了！ | 我跟{other}一伙，不管说的是什么。
  somber {other}懂的。 | {other}，你也见过吧。
  timid {other}，你来说吧，我不行。 | {other}，帮帮我？

hook
  any {topic}跟你有什么相干？ | 谁告诉你{topic}的？ | 那接下来怎么办？ | 为什么问我，{you}？ | 换了你呢，{you}？
    | 难道不是吗？ | 你要{topic}做什么？ | 后来呢？
  warm 吃过东西没有，{you}？ | 到底什么事放不下？ | 再坐一会儿，好不好？
  rough {topic}你管不管？光说不练？ | 你有更好的主意？ | 出多少钱？
  formal {you}以为如何？ | 敢问{topic}从何说起？ | 依{you}之见呢？
  mechanical 询问：{topic}的用途？ | {you}，请澄清？ | 下一步指令？
  playful 敢不敢赌一把？ | {topic}能归我吗？ | 还能坏到哪儿去？
  somber 到头来，有分别吗？ | 你又丢下了什么，{you}？ | 夜里你会想起{topic}吗？
  timid 你不会生气吧，{you}？ | 这样……不好吗？ | {topic}要不要告诉别人？

close
  any 就这些。 | 话就说到这儿。 | 信不信由你。 | 走着瞧吧。
  warm 来，先喝口热的。 | 有我在呢。
  rough 就这么着。 | 别让我说第二遍。
  formal 言尽于此。 | 诸位自有公断。
  mechanical 陈述完毕。 | 等待输入。 | 待命。
  playful 不用谢！ | 所以说，跑就对了。
  somber 剩下的，都是风声。 | 夜还长。
  timid 我、我说完了。 | 大概吧。

overheard
  any 让{other}自己说。 | 我也想听{other}怎么讲。 | 这话是问{other}的，不过嘛。
  warm 让{other}喘口气。 | {other}讲得比我好。
  rough {other}不会告诉你的。 | 别难为{other}，那是我的活儿。
  formal 此问当由{other}作答。 | {other}面前，不敢多嘴。
  mechanical 对象：{other}。聆听中。 | 应由{other}响应。
  playful 瞧{other}怎么圆！ | 我知道{other}要说什么，就不说。
  somber {other}也答不上来，谁都答不上来。 | 别逼{other}了。
  timid 幸好问的是{other}。 | {other}，不想说可以不说。

acted
  any 好了，{fact}。 | 这下{fact}了。 | 办妥了，{fact}。
  warm 行了，{you}，{fact}。
  rough 满意了？{fact}。 | {fact}，总得有人动手。
  formal 已办妥，{fact}。
  mechanical 已执行。{fact}。 | 变更生效：{fact}。
  playful 锵锵！{fact}！
  somber {fact}，只能这样。
  timid 我、我弄好了，{fact}。

conflict
  any 有人抢在我前头了。 | 一转身，又变了样。 | 我走开的时候不是这样的。
  rough 谁动过了？
  mechanical 检测到冲突：状态已被他人更改。
  formal 看来有人捷足先登。

failed
  any 没弄成。 | 不听使唤。 | 试过了，不行。
  mechanical 操作失败。
  rough 破玩意儿，卡死了。

leave
  any 我先走了，别等我。 | 今晚就到这儿吧。 | 待得够久了。
  warm 我先走一步，你们互相照应。
  rough 走了，别跟着。
  formal 恕我失陪。 | 就此别过。
  mechanical 正在离开。
  playful 我要消失啦！
  somber 我想一个人走走。
  timid 我、我得走了，对不起。

narrate
  any 一时无人开口。 | 外头有什么动了一下，又静了。 | {A}看了{b}一眼，移开目光。 | 谁也不提{topic}，谁都听见了。 | 椅脚刮过地面，没有人回头。
    | 这一阵沉默，长得有些过分。 | {A}张了张口，终究没有说。 | 方才那句话，还悬在半空。 | 夜比想的更深。
    | 嘴上不说，人人心里都是{topic}。 | {B}盯着{a}，比平常久了那么一瞬。 | 有人笑了一声，笑得迟了。 | 光影一晃，落在{a}身上。
    | {A}与{b}之间，忽然窄得容不下一句话。 | 话渐渐少了，只剩下{topic}。 | 远处传来一声响，说不清是什么。
    | {A}不再装作没在听。 | 除了影子，什么都没动。

reason
  any {topic}的事，该问{a}。 | {A}对{topic}有话要说。 | 这事跟{a}有关。 | {A}沉默太久了。 | 众人都望着{a}。

named
  any 有人点了{a}的名。 | 话是对{a}说的。 | 这一问，问的是{a}。

mood
  any 不安，静得过头 | 暂时缓和了些 | 绷着，都在想{topic} | 一触即发

hour
  any 过了一会儿 | 夜深时分 | 话少下来的时候

aside
  any 留心{other}。 | {other}的话，你信吗？我不信。 | 别让{other}知道。 | 今晚别离我太远。 | 等散了，来找我。
  warm 你还好吗？跟我说实话。 | 不管他们说什么，我站你这边。
  rough 一会儿动起手来，躲我后头。 | {other}在撒谎，我闻得出来。
  mechanical 私密：请监视{other}。
  playful 跟着我演，别笑场。
  somber 不会有好结果的，靠门站着。
  timid 我有点怕，别告诉他们。

cover
  any 说到哪儿了？ | 你们接着聊。 | 没什么，别管我们。
  mechanical 恢复公共频道。 | 无异常。
  playful 没说你坏话，真的！ | 刚才说到哪儿啦？
  rough 看什么看？ | 接着说你们的。
  formal 失礼了，诸位请继续。 | 一点私事，不足挂齿。
  timid 没、没什么。 | 我就是问问时辰……

connect
  any 不过， | 话说回来， | 再说了， | 反正，
  warm 你也知道我， | 听我说，
  rough 告诉你， | 还有，
  formal 话虽如此， | 纵然如此， | 平心而论，
  mechanical 补充： | 附注：
  playful 对了， | 最妙的是，
  somber 可是， | 即便如此，
  timid 我是说， | 就是……

pause
  any 看了{speaker}一眼 | 沉默片刻 | 耸了耸肩 | 侧耳听了听
  warm 对{speaker}笑了笑 | 轻轻点头
  rough 抱起胳膊 | 哼了一声
  formal 微微欠身 | 理了理衣袖
  mechanical 停顿 | 转向{speaker}
  playful 咧嘴一笑 | 冲{speaker}眨眨眼
  somber 望着暗处 | 没有抬头
  timid 低下头 | 咽了口唾沫

tail
  any ，动作慢了下来 | ，眼睛看着{speaker} | ，抬起头来 | ，不紧不慢
`
