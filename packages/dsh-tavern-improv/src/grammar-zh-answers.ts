/** Chinese stock phrases, first half: answers to greetings, orders and questions, by move and manner. */
export const zhAnswers = `
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
`
