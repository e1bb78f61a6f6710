export type Weighed = { readonly value: bigint; readonly weight: bigint }

/** The least value that, with all below it, has half of the weight: of an even split the lower one. @param samples some of which weigh */
export function weightedMedian(samples: readonly Weighed[]): bigint {
  const ascending = samples.toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0n)
  let below = 0n
  for (const { value, weight } of ascending) {
    below += weight
    if (2n * below >= total && weight > 0n) return value
  }
  return 0n
}
