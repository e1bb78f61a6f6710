/** Hue 0-359 of a seed, such as an address in any case: the same seed always looks the same. FNV-1a. */
export function toHue(seed: string): number {
  let hash = 2_166_136_261
  for (const letter of seed.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return (hash >>> 0) % 360
}
