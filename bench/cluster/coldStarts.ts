import { describeDifference, indexFromScratch, readIndexOf } from '../faults/compareWithScratch.ts'
import type { Market } from '../faults/market.ts'
import type { Postgres } from '../postgres.ts'
import { countEnded, countLeaders, type Place, startNode, untilAt } from './servers.ts'

export type ColdStarts = {
  readonly starts: number
  /** Leaders and ended servers of each start, as `1 leader, 0 ended`, with how often it was so. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly secondsUntilFull: readonly number[]
  readonly differences: readonly string[]
}

/** Starts three servers at once on an empty database, again and again. Their index is compared with one made from scratch. */
export async function measureColdStarts(
  place: Place,
  {
    starts,
    postgres,
    market,
    head,
  }: { readonly starts: number; readonly postgres: Postgres; readonly market: Market; readonly head: () => Promise<number> },
): Promise<ColdStarts> {
  const outcomes = new Map<string, number>()
  const secondsUntilFull: number[] = []
  const differences: string[] = []
  for (let i = 0; i < starts; i += 1) {
    const databaseUrl = await postgres.createDatabase(`cold${i}`)
    const fromMs = performance.now()
    const nodes = await Promise.all([0, 1, 2].map(() => startNode(place, databaseUrl, 'full')))
    secondsUntilFull.push((performance.now() - fromMs) / 1_000)
    await market.still(async () => {
      await untilAt(nodes, await head(), place)
      const outcome = `${await countLeaders(nodes)} leader, ${countEnded(nodes)} ended`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      const difference = describeDifference(await readIndexOf({ databaseUrl }), await indexFromScratch(place))
      if (difference !== undefined) differences.push(`start ${i + 1}: ${difference}`)
    })
    await Promise.all(nodes.map(({ child }) => child.stop()))
    console.log(`cold start ${i + 1}: ${secondsUntilFull.at(-1)?.toFixed(1)} s`)
  }
  return { starts, outcomes, secondsUntilFull, differences }
}
