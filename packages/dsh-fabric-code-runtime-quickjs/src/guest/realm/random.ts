/** `Math.random` of one realm, from the host's seed (sfc32). Self-contained: runs in the realm. */
export function createRandom(seed: readonly [number, number, number, number]): () => number {
  let [a, b, c, counter] = [seed[0] | 0, seed[1] | 0, seed[2] | 0, seed[3] | 0]
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) word()
  return () => ((word() >>> 5) * 67_108_864 + (word() >>> 6)) / 9_007_199_254_740_992
}
