/** A stream of repeatable random numbers: the same seed gives the same stream, on every machine. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** Mean 0, standard deviation 1. */
  gaussian(): number
  /** How many times something happens that happens `mean` times on average. */
  poisson(mean: number): number
}

/** Mulberry32 over an FNV-1a hash of the seed: short, fast and good enough for a toy market, useless for secrets. */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const poisson = (mean: number) => {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * gaussian()))
    let count = 0
    for (let left = next(); left > Math.exp(-mean); left *= next()) count += 1
    return count
  }
  return { next, gaussian, poisson }
}
