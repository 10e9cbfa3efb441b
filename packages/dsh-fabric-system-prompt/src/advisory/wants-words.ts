/** Whether a sentence is answered in words: it asks how or why, or for a piece of prose or code, and names tools in passing. */

const HOW =
  /^(?:\s*(?:and|but|so|hi|hey|ok|okay|please|can you|could you)\b,?)*\s*(?:how (?:do|does|can|could|should|would) (?:i|you|one|we|the|a|an)\b|how to\b|explain\b|what (?:does|do)\b|what (?:is|are|s) (?:an?|the differences?)\b|why (?:is|are|does|do)\b)/i

const HOW_ELSEWHERE =
  /怎么(?!样|了|回事)|如何|什么是|是什么意思|有什么区别|有何区别|为什么|どうやって|とは何|違いは|なぜ|어떻게|차이|왜 /

const PIECE =
  /\b(?:write|compose|draft|tell|give|sing|invent)\b.*\b(?:poem|haiku|limerick|verse|song|story|tale|joke|riddle|letter|essay|speech|paragraph|sentence|dialogue|function|method|class|regex|snippet|one-liner)s?\b/i

const PIECE_ELSEWHERE =
  /[写讲说编作].{0,12}(?:诗|俳句|歌词|故事|笑话|谜语|情书|作文|演讲|对白|段子|函数|方法|正则)|(?:詩|俳句|物語|手紙|関数|歌)を?[書作]|(?:시|이야기|편지|함수)를? ?(?:써|만들|작성)/

export function wantsWords(sentence: string): boolean {
  return HOW.test(sentence) || HOW_ELSEWHERE.test(sentence)
}

/** Other than a file to be written, which has such a piece in it. */
export function wantsPiece(sentence: string): boolean {
  return PIECE.test(sentence) || PIECE_ELSEWHERE.test(sentence)
}
