const minuteMs = 60_000

/**
 * Counts questions, so that in no 60 seconds there are more than `perMinuteMax`.
 * @param nowMs a clock that never goes back
 * @returns takes one question: false, and nothing taken, when there is none left
 */
export function createQuestionBudget(perMinuteMax: number, nowMs: () => number): () => boolean {
  const askedAtMs: number[] = []
  return () => {
    const now = nowMs()
    while (askedAtMs[0] !== undefined && askedAtMs[0] <= now - minuteMs) askedAtMs.shift()
    if (askedAtMs.length >= perMinuteMax) return false
    askedAtMs.push(now)
    return true
  }
}
