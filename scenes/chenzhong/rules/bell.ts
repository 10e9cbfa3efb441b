// 水里的钟：静得越久，越容易再响。这一掷谁也看不见。
const quiet = variables.get('静了几回')
if (roll('d6', { label: '钟响不响', hidden: true }) + quiet < 6) {
  variables.set('静了几回', quiet + 1)
  return
}
variables.set('静了几回', 0)
const count = world.get('钟响次数') + 1
world.set('钟响次数', count)

const places = ['湖心', '半截钟楼那边', '离岸不远的浅水里']
const where = places[roll('d3', { label: '从哪里来', hidden: true }) - 1]
const answer =
  world.get('临湖的窗') === '开着'
    ? '风跟着进来，烛火齐齐往里一倒。'
    : '窗关着，窗纸还是跟着嗡嗡地抖了一阵。'
narrate(`钟又响了，从${where}传来，这是今晚的第${'零一二三四五六七八九十'[count] ?? count}声。${answer}`)
if (scene.onStage.includes('ji-shouzhong') && count % 2 === 1) {
  tell('ji-shouzhong', '你敲过半辈子钟，听得出来：这一声的尾音短了半拍，不是悬着的钟。')
}
