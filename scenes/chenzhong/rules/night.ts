// 每六个片刻过去一个钟头：湖水再退一点，蜡烛隔一个钟头烧完一支。
const left = world.get('离天亮小时') - 1
if (left < 0) return
world.set('离天亮小时', left)
world.set('水位米数', Math.round((world.get('水位米数') - 0.2) * 10) / 10)

const candles = world.get('蜡烛支数')
const burnsOut = left % 2 === 1 && candles > 0
if (burnsOut) world.set('蜡烛支数', candles - 1)
// 天亮的话由另一条规则来说
if (left === 0) return

const passages: Record<number, string> = {
  6: '炉上的水滚过一遍，一个钟头过去了。窗外的水线又退下去一截，湿泥的腥气漫进屋里。',
  5: '风停了一阵，湖面静得像一块铁。半截钟楼底下露出了一排青苔。',
  4: '后半夜了。退水的滩上有什么东西翻了个身，又没了动静。',
  3: '远处的堤上有一点灯火，走走停停，不知道是谁在巡湖。',
  2: '鸡叫了头遍，天还黑着。水又浅了，旧街的石板一块一块露出来。',
  1: '东边的山脊发了白，打捞船的柴油机在码头上咳了两声。',
}
const light =
  candles === 1 ? '最后一支蜡烛烧到了底，灭了。' : `一支蜡烛烧到了底，还剩${candles - 1}支。`
narrate(`${passages[left] ?? '又过了一个钟头。'}${burnsOut ? light : ''}`)
