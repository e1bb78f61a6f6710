import type { WireListStatus } from '@chainboard/contract'
import type { Problem } from '../findProblems.ts'
import type { ListStatus, Refusal } from '../market/liveList.ts'

const problemsMax = 20
const awaitingMax = 100

/** What became of the newest token list, for operators. What is wrong with a list of thousands fills no page. */
export function toListStatus({ tokens, takenAtMs, refused, beingRead, readProgress, remote }: ListStatus) {
  return {
    tokens,
    takenAt: toSeconds(takenAtMs),
    refused: toRefusal(refused),
    beingRead:
      beingRead.length === 0
        ? null
        : {
            count: beingRead.length,
            addresses: beingRead.slice(0, awaitingMax).map(({ address }) => address),
            phase: readProgress?.phase ?? ('waiting' as const),
            blocksRead: readProgress?.blocks?.read ?? null,
            blocks: readProgress?.blocks?.all ?? null,
          },
    web: remote
      ? {
          tokens: remote.tokens,
          answeredAt: remote.answeredAtMs === undefined ? null : toSeconds(remote.answeredAtMs),
          refused: toRefusal(remote.refused),
          leftOut: toFirst(remote.leftOut),
        }
      : null,
  } satisfies WireListStatus
}

function toRefusal(refused: Refusal | undefined) {
  return refused ? { since: toSeconds(refused.sinceMs), ...toFirst(refused.problems) } : null
}

function toFirst(problems: readonly Problem[]) {
  return { count: problems.length, problems: problems.slice(0, problemsMax) }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
