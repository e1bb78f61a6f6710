/** One step of a series over time; `atSeconds` is unix seconds. */
export type Sample<T> = { readonly atSeconds: number; readonly value: T }

/**
 * The value in force at each of `times` (ascending): that of the last sample at or before it. Times before the first sample are left out.
 * @param samples ascending in time
 */
export function carryForward<T>(samples: readonly Sample<T>[], times: readonly number[]): Sample<T>[] {
  const filled: Sample<T>[] = []
  let next = 0
  for (const atSeconds of times) {
    while ((samples[next]?.atSeconds ?? Infinity) <= atSeconds) next += 1
    const last = samples[next - 1]
    if (last) filled.push({ atSeconds, value: last.value })
  }
  return filled
}

/** Means of groups of `size`, counted back from the end so that the newest group is whole; each stands at its first sample's time. */
export function averageGroups(samples: readonly Sample<bigint>[], size: number): Sample<bigint>[] {
  const groups: Sample<bigint>[] = []
  for (let end = samples.length; end > 0; end -= size) {
    const group = samples.slice(Math.max(0, end - size), end)
    const [first] = group
    if (!first) break
    const sum = group.reduce((total, { value }) => total + value, 0n)
    groups.unshift({ atSeconds: first.atSeconds, value: sum / BigInt(group.length) })
  }
  return groups
}
