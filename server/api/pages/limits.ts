/** At most so many within each second, of any clock that never goes back. */
export function limitRate(perSecondMax: number, nowMs: () => number) {
  let second = 0
  let counted = 0
  const thisSecond = () => Math.floor(nowMs() / 1_000)
  return {
    isFull: (): boolean => thisSecond() === second && counted >= perSecondMax,
    count(): void {
      const now = thisSecond()
      counted = now === second ? counted + 1 : 1
      second = now
    },
  }
}

/** The result of the work, or undefined after so many milliseconds: the work goes on then. @throws like the work */
export async function withinMs<T>(work: Promise<T>, ms: number, onLate: () => void): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onLate()
      resolve(undefined)
    }, ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
