/** Whether a sentence asks how something is done or what it is: its asker wants to be told, and names tools in passing. */

const OPENING =
  /^(?:\s*(?:and|but|so|hi|hey|ok|okay|please|can you|could you)\b,?)*\s*(?:how (?:do|does|can|could|should|would) (?:i|you|one|we|the|a|an)\b|how to\b|explain\b|what (?:does|do)\b|what (?:is|are|s) the differences?\b|why (?:is|are|does|do)\b)/i

const PHRASE =
  /怎么(?!样|了|回事)|如何|什么是|是什么意思|有什么区别|有何区别|为什么|どうやって|とは何|違いは|なぜ|어떻게|차이|왜 /

export function asksHow(sentence: string): boolean {
  return OPENING.test(sentence) || PHRASE.test(sentence)
}
