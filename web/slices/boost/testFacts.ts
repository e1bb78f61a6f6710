import type { BoostFacts } from './readFacts.ts'

/** A contract that takes 25 USDC for a day, as tests of single rules want it. */
export const testFacts: BoostFacts = {
  paused: false,
  accepted: true,
  costRaw: 25_000_000n,
  durationSeconds: 86_400,
  boostedUntil: 0,
  announced: undefined,
  wallet: undefined,
}
