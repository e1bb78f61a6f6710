import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { BackfillRun } from './backfill.ts'
import type { Indexer } from './indexer.ts'

/** One run in a line. */
export function toRunLine(run: BackfillRun): string {
  const { indexer, round, startToCompleteSeconds, backfillSeconds } = run
  return `Round ${round}: ${toName(indexer)}: complete ${startToCompleteSeconds.toFixed(2)} s after its start, ${backfillSeconds.toFixed(2)} s after its API was up`
}

const columns = ['Start to complete, s', 'API up to complete, s', 'Swaps/s', 'CPU s', 'CPU s of PostgreSQL', 'Peak RSS, MB']

/** The median of each indexer's rounds. */
export function toMedianTable(runs: readonly BackfillRun[]): string {
  const rows = byIndexer(runs).map(([name, own]) => [name, ...toFigures(own)])
  return toTable(['Indexer, store', ...columns], rows)
}

/** Every round of each indexer. */
export function toRoundTable(runs: readonly BackfillRun[]): string {
  const rows = byIndexer(runs).flatMap(([name, own]) => own.map((run) => [name, String(run.round), ...toFigures([run])]))
  return toTable(['Indexer, store', 'Round', ...columns], rows)
}

function toFigures(runs: readonly BackfillRun[]): string[] {
  const middle = (of: (run: BackfillRun) => number | undefined, digits: number) => {
    const values = runs.map(of)
    return values.every((value) => value !== undefined) ? median(values).toFixed(digits) : '–'
  }
  return [
    middle((run) => run.startToCompleteSeconds, 2),
    middle((run) => run.backfillSeconds, 2),
    middle((run) => run.swaps / run.backfillSeconds, 0),
    middle((run) => run.cpuSeconds, 1),
    middle((run) => run.databaseCpuSeconds, 1),
    middle((run) => (run.peakRssBytes === undefined ? undefined : run.peakRssBytes / 1e6), 0),
  ]
}

/** Ponder's times divided by Chainboard's, on the same kind of store in the same round: the median, then each round. */
export function toRatioTable(runs: readonly BackfillRun[]): string {
  const isOurs = ({ indexer }: BackfillRun) => indexer.name === 'Chainboard'
  const isEmbedded = ({ indexer }: BackfillRun) => indexer.store !== 'PostgreSQL'
  const rows = byIndexer(runs.filter((run) => !isOurs(run))).map(([name, theirs]) => {
    const pairs = theirs.flatMap((their) => {
      const our = runs.find((run) => isOurs(run) && run.round === their.round && isEmbedded(run) === isEmbedded(their))
      return our ? [{ our, their }] : []
    })
    const ratios = (of: (run: BackfillRun) => number) => pairs.map(({ our, their }) => of(their) / of(our))
    const pair = `${name} : ${pairs[0] ? toName(pairs[0].our.indexer) : '–'}`
    return [pair, toSpread(ratios((run) => run.startToCompleteSeconds)), toSpread(ratios((run) => run.backfillSeconds))]
  })
  return toTable(['Pair', 'Start to complete', 'API up to complete'], rows)
}

function toSpread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(1)} (${ratios.map((ratio) => ratio.toFixed(1)).join(', ')})`
}

/** In the order of the first round. */
function byIndexer(runs: readonly BackfillRun[]): [string, BackfillRun[]][] {
  const sorted = runs.toSorted((a, b) => a.round - b.round)
  return [...Map.groupBy(sorted, ({ indexer }) => toName(indexer))]
}

/** An indexer as tables name it. */
export function toName({ name, store }: Indexer): string {
  return `${name}, ${store}`
}
