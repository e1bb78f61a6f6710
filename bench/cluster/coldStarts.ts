import { describeDifference, indexFromScratch, readIndexOf } from '../faults/compareWithScratch.ts'
import { countEnded, countLeaders, startNode, stopAll, untilAt } from './servers.ts'
import { type Stage, type Trial, toSpan } from './trial.ts'

const oneLeads = '1 leader, 0 ended'

/** Starts three servers at once on an empty database, again and again. Their index is compared with one made from scratch. */
export async function measureColdStarts(stage: Stage, starts: number): Promise<Trial> {
  const outcomes = new Map<string, number>()
  const untilFullMs: number[] = []
  const differences: string[] = []
  for (let i = 0; i < starts; i += 1) {
    const databaseUrl = await stage.postgres.createDatabase(`cold${i}`)
    const fromMs = performance.now()
    const nodes = await Promise.all([0, 1, 2].map(() => startNode(stage, databaseUrl, { until: 'full' })))
    untilFullMs.push(performance.now() - fromMs)
    await stage.market.still(async () => {
      await untilAt(nodes, await stage.head(), stage)
      const outcome = `${await countLeaders(nodes)} leader, ${countEnded(nodes)} ended`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      const difference = describeDifference(await readIndexOf({ databaseUrl }), await indexFromScratch(stage))
      if (difference !== undefined) differences.push(`start ${i + 1}: ${difference}`)
    })
    await stopAll(nodes)
    console.log(`cold start ${i + 1}: ${untilFullMs.at(-1)?.toFixed(0)} ms`)
  }
  const words = [...outcomes].map(([outcome, times]) => `${times} x ${outcome}`).join('; ')
  return {
    rows: [
      ['Three servers at once, empty database', `${starts}`, words],
      ['… until all answer from a whole index', '', toSpan(untilFullMs)],
      ['… index, row for row that of a single server', '', differences.length === 0 ? 'equal' : '**differs**'],
    ],
    failures: [
      ...[...outcomes.keys()].filter((outcome) => outcome !== oneLeads).map((outcome) => `Cold start: ${outcome}`),
      ...differences,
    ],
  }
}
