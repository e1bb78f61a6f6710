/** The date by a clock of unix milliseconds. */
export function toSeconds(nowMs: () => number): () => number {
  return () => Math.floor(nowMs() / 1_000)
}
