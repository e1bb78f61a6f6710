/** Runs a task when its turn comes; a task whose caller has given up is left out. */
export type TakeTurn = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** At most `runningMax` tasks at a time, the others in the order they came. A failing one makes room as well. */
export function createTurns(runningMax: number): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  const waitForTurn = async () => {
    if (running < runningMax) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const passOn = () => {
    const next = waiting.shift()
    // The place goes from one to the next without becoming free.
    if (next) next()
    else running -= 1
  }
  return async (task, signal) => {
    await waitForTurn()
    try {
      signal.throwIfAborted()
      return await task()
    } finally {
      passOn()
    }
  }
}
