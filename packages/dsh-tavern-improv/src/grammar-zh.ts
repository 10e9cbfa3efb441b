/** Chinese stock phrases by move and manner: what is said around a card's own words. */
import { grammarOf } from './grammar.ts'

export const grammarZh = grammarOf(`
greet
  any 来了啊。 | 你可算来了。 | {you}，好。 | 原来是{you}。 | 坐吧，站着做什么。
  warm {you}来啦，快坐快坐。 | 路上冷吧，{you}？ | 见着你就放心了。
  rough 哟，又是你。 | 磨蹭到这会儿才来。 | 有话快说。
  formal {you}，久违了。 | 有失远迎。 | 承蒙{you}惦记。
  mechanical 识别到{you}。 | 问候已接收。 | 来访已登记。
  playful 说曹操，曹操就到！ | 哎呀，{you}！正说你坏话呢。 | 今天吹的什么风？
  somber 你还是来了。 | 是你啊，{you}。 | 又多了一个睡不着的人。
  timid 啊，你、你好。 | {you}……我没听见你进来。 | 是来找我的吗？

farewell
  any 走好。 | 改日再说吧。 | 这就走了？ | 路上当心，{you}。
  warm 早点回来，{you}。 | 带上点吃的再走。 | 位子给你留着。
  rough 慢走，不送。 | 走就走，门在那边。
  formal 后会有期，{you}。 | 恕不远送。
  mechanical 离开已确认。 | 与{you}的对话结束。
  playful 这么快？好戏还在后头呢！ | 可别太想我。
  somber 人人都这么说。 | 若是不再见，今晚也算不坏。
  timid 这、这就走了吗？ | 那……你小心些。

thanks
  any 小事一桩。 | 不必挂在心上。 | 换了{you}也会这么做。
  warm 跟我还客气什么。 | {you}高兴就好。
  rough 谢字不能当饭吃。 | 记着，你欠我一回。
  formal 不敢当。 | 举手之劳，{you}言重了。
  mechanical 谢意已记录。 | 无须回报。
  playful 大声点，让他们都听见！ | 光说谢可不够。
  somber 等事情完了再谢不迟。 | 很少有人记得说这句。
  timid 没、没什么的。 | 真的不用谢。

apology
  any 算了。 | 过去的就过去了。 | 谁没有个错的时候。
  warm 傻话，谁怪你了。 | {you}，我早就不气了。
  rough 对不起能值几个钱？ | 少说两句，多做一点。
  formal 言重了，{you}。 | 此事就此揭过。
  mechanical 歉意已接受。 | 错误已更正。
  playful 唱一支曲子就饶了你。 | 我还没生够气呢！
  somber 如今说这些也没用了。 | 这句话我听过太多次。
  timid 不不，是我不好。 | 别这么说，{you}。

hostile
  any 说话小心些，{you}。 | 你再说一遍。 | 口气不小。 | 你就是这么看我的？
  warm {you}累了，我不跟你计较。 | 有话好好说，何必伤人。
  rough 有种出去说。 | 比你狠的我埋过不止一个。 | 再多嘴一句试试。
  formal 这话有失体面，{you}。 | 我只当没有听见。
  mechanical 检测到敌意。 | 该说法不予采信。
  playful 哟，急了急了！ | 这也算骂人？我教你几句。
  somber 也许你说得对。 | 这样骂过我的人，都不在了。
  timid 别、别吼我。 | 我真的什么都没做。

praise
  any 这话我爱听。 | {you}这是夸我还是求我？ | 过奖了。
  warm 瞧你嘴甜的。 | 有你在，我才做得好。
  rough 少拍马屁。 | 说吧，想要什么？
  formal 惭愧，惭愧。 | {you}谬赞了。
  mechanical 正面评价已记录。 | 性能符合标准。
  playful 再夸两句，别停！ | 我就知道瞒不住。
  somber 从前不是这样的。 | 好话总是来得晚。
  timid 我？真的吗？ | 你、你别取笑我。

comply
  any 行。 | 既然你开口了。 | 等我一下。 | 就依{you}。
  warm 好，好，都依你。 | 包在我身上。
  rough 就这一回。 | 催什么催，这就去。
  formal 遵命。 | 理当如此，{you}。
  mechanical 请求已接受。 | 正在执行。
  playful 叫声好听的，我就去。 | 得令！
  somber 若能让你好受些。 | 总得有人去做。
  timid 好、好的。 | 我试试看，{you}。

refuse
  any 不行。 | 现在不成，{you}。 | 你找别人吧。 | 白干的事我不干。
  warm 别的都好说，这个不成。 | {you}，今晚就算了吧。
  rough 自己没长手？ | 我又不是你的伙计。 | 不去，别问第二遍。
  formal 恕难从命。 | 此事不合规矩，{you}。
  mechanical 请求已拒绝。 | 权限不足，{you}。
  playful 不要，我正闲得舒服呢。 | 给我什么好处？
  somber 那样的事，我做过一次就够了。 | 有些事还是放着的好。
  timid 能不能……换个人？ | 我不敢，对不起。

tell
  any 从哪儿说起呢。 | 你想听{topic}的事？ | 说起{topic}，话就长了。 | 我知道的也就这些。
  warm 坐近些，我慢慢跟你说{topic}。 | {you}想听，我就讲。
  rough 想听{topic}？先买壶酒。 | 我又不是说书的。 | 长话短说。
  formal 关于{topic}，略知一二。 | {you}问得好。 | 且容我说说。
  mechanical 检索：{topic}。 | {topic}的记录不完整。 | 数据如下。
  playful {topic}啊，这个我可会讲！ | 要听真的，还是要听好听的？
  somber {topic}……很久没人问过了。 | 这故事没有结局。 | 你听了未必高兴，{you}。
  timid {topic}吗？我也只是听说。 | 我讲了，你别告诉别人。

echo
  any {topic}？ | {topic}啊。 | 你是说{topic}？
  warm 哦，{topic}呀。 | {topic}啊，难为你惦记。
  rough 又是{topic}。 | {topic}，{topic}。
  formal {you}问的是{topic}。 | {topic}一事。
  mechanical 主题：{topic}。 | 关键词：{topic}。
  playful {topic}！ | 哈，{topic}？
  somber {topic}…… | 果然，是{topic}。
  timid {topic}吗…… | 别是{topic}吧。

yesno
  any 是。 | 不是。 | 也许吧。 | 说不准。 | 那要看是谁问。 | 还没有。 | 一半一半。 | 我也这么想过。
  warm 你放心，是的。 | 我倒想说是，{you}。 | 我什么时候骗过你？ | 今晚怕是不成。
  rough 不是，下一个。 | 是又怎样？ | 你巴不得我说是吧？ | 跟你一样，半斤八两。
  formal 想来如此。 | 恕我不能断言。 | 断无此事。 | 不无可能，{you}。
  mechanical 肯定。 | 否定。 | 无法判定。 | 可能性百分之{n}。 | 未经证实，{you}。
  playful 是！不是！你想听哪个？ | 你猜。 | 逢单日是，逢双日不是。
  somber 从前是。 | 就算是，又能改变什么？ | 我早就不问自己这个了。 | 如今不是了。
  timid 大、大概是吧？ | 我也不敢说。 | 不是我，真的不是我。 | 我得问问别人，{you}。

where
  any 远在天边，近在眼前。 | 你没找过的地方。 | 反正不在这儿。 | {topic}？不在你想的地方。 | 老地方。
  warm 不远，{you}，我陪你去。 | 你先歇歇，我替你找{topic}。
  rough 我又不是地图。 | 自己找去。
  formal 实在说不准。 | 天亮再去问问，{you}。 | 不在此处。
  mechanical 位置不明。 | {topic}：不在探测范围内。
  playful 冷，冷，更冷了！ | 告诉你，你就不来了。
  somber 在我们最后都要去的地方。 | 早没了。 | 别去找了，{you}。
  timid 我好像见过{topic}，又不敢肯定。 | 不在我这儿，真的。

who
  any 说出来你也不爱听。 | 你心里有数，{you}。 | 一个不愿留名的人。 | 反正不是我。 | 谁得了好处，就问谁。
  warm 想必是个好心人。 | 见了面你就认得了，{you}。
  rough 谁问的？ | 关你什么事。 | 还能有谁，没钱的呗。
  formal 不便妄言。 | 此人颇有来历，{you}。
  mechanical 身份未确认。 | 候选者若干。
  playful 我呀，戴着帽子呢！ | 猜三次，前两次都猜{other}。
  somber 一个不会回来的人。 | 起初，谁都是陌生人。
  timid 我没看清脸。 | 谁都有可能……对吧？

why
  any 总得有人去做。 | 习惯罢了。 | 换了你，你也会。 | 当时觉得该这样。 | 自有道理，{you}。
  warm 因为你也会这样待我。 | 还不是放心不下你们。
  rough 老天让我这么干的。 | 没人拦着，不就干了。 | 你话太多了，{you}。
  formal 当时自有考量。 | 职责所在而已。 | 说来话长，{you}。
  mechanical 原因：指令。 | 理由未存储。 | 这样效率更高。
  playful 为什么不呢？ | 打赌输了呗！
  somber 夜里我也这么问自己。 | 没有缘由，最难熬的就是这个。
  timid 我、我当时慌了。 | 做错了吗？

when
  any 快了。 | 你进门之前的事。 | 该来的时候自然来。 | 天亮之前吧。
  warm 不急，{you}，先歇一歇。 | 等你睡醒就好了。
  rough 我说了算。 | 再问就没有了。
  formal 时辰未定。 | 自有定数，{you}。
  mechanical 时间戳缺失。 | 预计{n}分钟。
  playful 马上！也许明年。 | 等掌勺的酒醒了再说。
  somber 什么时候来都晚了。 | 已经开始了，{you}。
  timid 快了吧？别太快就好。 | 我记不清了，对不起。

how
  any 慢慢来。 | 先坏几回，就好了。 | 看运气，{you}。 | 先别声张。
  warm 一步一步来，{you}。 | 咱们一起想办法。
  rough 拿拳头。 | 给钱，我就教你。
  formal 此事自有章法。 | 颇费周折，{you}。
  mechanical 步骤：三。 | 方法不可用。
  playful 闭上眼睛大喊一声就成！ | 倒着来，一向这样。
  somber 一个人，慢慢熬。 | 习惯了就好，也只能这样。
  timid 我怕教错了。 | 小、小心一点？

howmany
  any 比你想的多。 | 够了。 | 数到{n}就没再数。 | 总嫌少。
  warm 够大家分的，{you}。
  rough 自己数。 | {n}，爱信不信。
  formal 约莫{n}之数。 | 不多不少，{you}。
  mechanical 数量：{n}。 | 计数：{n}，误差未知。
  playful {n}！不对，{n}个半。
  somber 多了一个。 | 从前不止这些。
  timid {n}……吧？ | 我没敢数。

what
  any 还能是什么。 | 没什么好事，{you}。 | 你倒说说看。 | {topic}？我也正想问呢。 | 问得好。
  warm 没有过不去的，{you}。 | 先吃点东西，再说{topic}。
  rough 长眼睛干什么用的？ | 麻烦事。 | 跟你没关系。
  formal 容我想一想。 | 此事不便明言，{you}。
  mechanical 待定义：{topic}。 | 数据不足。 | 对象无法识别。
  playful 但愿是好吃的！ | 是惊喜，我最爱惊喜。
  somber 剩下的，就这么点。 | 你其实知道，{you}。
  timid 我、我应该知道吗？ | 没什么，真没什么。

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

callback
  any {other}，你刚才说的{past}呢？ | {other}提过{past}，我可没忘。 | 这倒让我想起{other}说的{past}。
  warm {other}，{past}的事你还没说完。 | 我一直想着{other}说的{past}。
  rough {other}刚念叨完{past}，又来这个。 | 先是{past}，这会儿又是{topic}。
  formal {other}方才提到{past}，我记着。 | {other}说起{past}，不无道理。
  mechanical 交叉比对：{other}，{past}。 | {other}的未决事项：{past}。
  playful 都是{other}起的头，说什么{past}！ | 还是{other}讲{past}的时候好玩。
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

why
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
`)
