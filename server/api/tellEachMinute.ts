const minuteMs = 60_000

/**
 * Tells of events that may come by the thousand: at once of the first, then each minute how many came since, until a minute has none.
 * @returns what is called for each event
 */
export function tellEachMinute(tell: (count: number) => void): () => void {
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const tellAll = () => {
    timer = undefined
    if (count === 0) return
    timer = setTimeout(tellAll, minuteMs).unref()
    const told = count
    count = 0
    tell(told)
  }
  return () => {
    count += 1
    if (!timer) tellAll()
  }
}
