/**
 * Works on many items, on at most `atOnceMax` of them at a time. After a failure no further one is begun.
 * @returns the results, in the order of the items
 */
export async function mapAtOnce<T, R>(items: readonly T[], atOnceMax: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  let failed = false
  const run = async () => {
    for (const [i, item] of rest) {
      if (failed) return
      try {
        results[i] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, run))
  return results
}
