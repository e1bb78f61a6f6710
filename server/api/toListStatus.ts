import type { WireListStatus } from '@chainboard/core'
import type { ListStatus } from '../market/liveList.ts'

const problemsMax = 20
const awaitingMax = 100

/** What became of the newest token list, for operators. What is wrong with a list of thousands fills no page. */
export function toListStatus({ tokens, takenAtMs, refused, awaitingRestart }: ListStatus) {
  return {
    tokens,
    takenAt: toSeconds(takenAtMs),
    refused: refused
      ? { since: toSeconds(refused.sinceMs), count: refused.problems.length, problems: refused.problems.slice(0, problemsMax) }
      : null,
    awaitingRestart: awaitingRestart.slice(0, awaitingMax).map(({ address }) => address),
  } satisfies WireListStatus
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
