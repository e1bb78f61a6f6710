/** Draws from one seed. The same seed and name give the same draws, whatever other streams draw. */
export type Random = {
  /** A stream of its own: draws from it move no others. */
  fork(name: string): Random
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** A stream of draws (sfc32). @param name the seed and the path of names that led here */
export function createRandom(name: string): Random {
  let [a, b, c, d] = hashName(name)
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 12; i += 1) next()
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    fork: (part) => createRandom(`${name}/${part}`),
    next,
    int,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
  }
}

/** Four words out of a text (cyrb128). */
function hashName(text: string): [number, number, number, number] {
  let [h1, h2, h3, h4] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    h1 = h2 ^ Math.imul(h1 ^ code, 597399067)
    h2 = h3 ^ Math.imul(h2 ^ code, 2869860233)
    h3 = h4 ^ Math.imul(h3 ^ code, 951274213)
    h4 = h1 ^ Math.imul(h4 ^ code, 2716044179)
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067)
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233)
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213)
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179)
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1, h4 ^ h1]
}
