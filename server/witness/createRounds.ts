/** Work in the background: one round at a time, none sooner than `everyMs` after the start of the one before. */
export type Rounds = {
  isDue(): boolean
  /** Begins a round. Call it only when one is due. */
  begin(work: () => Promise<void>): void
  /** Makes the next round due as soon as none runs. */
  hurry(): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

/** @param onError called with what a round throws; the next one begins when it is due, all the same */
export function createRounds(everyMs: number, nowMs: () => number, onError: (error: unknown) => void): Rounds {
  let nextMs = 0
  let running: Promise<void> | undefined
  return {
    isDue: () => !running && nowMs() >= nextMs,
    begin(work) {
      nextMs = nowMs() + everyMs
      running = work()
        .catch(onError)
        .finally(() => {
          running = undefined
        })
    },
    hurry() {
      nextMs = 0
    },
    async stop() {
      await running
    },
  }
}
