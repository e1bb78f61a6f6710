const minuteMs = 60_000
/** Of one kind, in a minute. */
const linesOfMinuteMax = 20

/** Lines that callers can cause in the log, as many as tell what goes on: a crowd of them fills no disk. @returns whether one more may be written */
export function createLineLimit(nowMs: () => number): () => boolean {
  let minute = { startMs: Number.NEGATIVE_INFINITY, count: 0 }
  return () => {
    if (nowMs() - minute.startMs >= minuteMs) minute = { startMs: nowMs(), count: 0 }
    minute.count += 1
    return minute.count <= linesOfMinuteMax
  }
}
