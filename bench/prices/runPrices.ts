import { parseArgs } from 'node:util'
import type { Address } from '@chainboard/core'
import { readConfig } from '../../server/config.ts'
import { toValuation } from '../../server/networkFile.ts'
import { makeFolder } from '../children.ts'
import { useScratchIndex } from '../faults/compareWithScratch.ts'
import { makeNetworks } from '../faults/networks.ts'
import { toAddress } from '../hex.ts'
import { type Measuring, measureSection, outOption, toCommand } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { median, percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'
import { comparePrices } from './comparePrices.ts'

export const usage = `npm run bench -- prices [--replay file.csv.gz] [--out file]
  --replay   a recording that the devnet plays instead of its own month (devnet/README.md)
  --out      the document with the section "Prices" (default docs/benchmarks.md)`

const windows = [120, 180, 240, 300, 600]

/** Measures how far the median price is from the last trade in an honest market. @throws NotMeasured when the index does not catch up */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options: { replay: { type: 'string' }, out: outOption } })
  const { replay, out } = values
  // The name of the file is of one machine: the section names no path.
  const about = replay === undefined ? { name: 'prices', args: [] } : { name: 'prices-recorded', args: ['--replay', '<file>'] }
  await measureSection({ ...about, out }, async ({ machine }) => {
    const devnet = { live: false, signal, ...(replay === undefined ? {} : { replayCsv: replay }) }
    const rows = await withDevnet(devnet, ({ rpcUrl, tokens }) => {
      // Of a recording only one pool is real.
      const recorded = replay === undefined ? undefined : toAddress(tokens.find(({ symbol }) => symbol === 'WEMB')?.address)
      return measureWindows(rpcUrl, recorded, signal)
    })
    return toSection({ machine, command: toCommand('prices', about.args), isRecorded: replay !== undefined, rows })
  })
}

/** A row for each window. @param recorded the one token to compare; undefined: all */
function measureWindows(rpcUrl: string, recorded: Address | undefined, signal: AbortSignal): Promise<string[][]> {
  const networksDir = makeNetworks()
  const { network } = readConfig({ NETWORK: 'devnet', DATA_DIR: makeFolder('prices') }, networksDir)
  return useScratchIndex({ rpcUrl, networksDir, signal }, async (store) => {
    const table: string[][] = []
    for (const windowSeconds of windows) {
      const { minutes, trades } = await comparePrices(store, { ...toValuation(network), windowSeconds }, recorded)
      table.push([`${windowSeconds} s`, ...toCells(minutes), ...toCells(trades)])
      console.log(table.at(-1)?.join('  '))
    }
    return table
  })
}

/** How many distances there are, their median and their 99th percentile. */
export function toCells(distances: readonly number[]): string[] {
  const toPercent = (part: number) => `${(part * 100).toFixed(3)} %`
  return [String(distances.length), ...[median(distances), percentile(distances, 99)].map(toPercent)]
}

type Measured = Measuring & { readonly isRecorded: boolean; readonly rows: readonly string[][] }

function toSection({ isRecorded, rows, ...measuring }: Measured): string {
  return [
    ...toHead({
      ...measuring,
      title: `Prices: ${isRecorded ? 'a recording' : "the devnet's month"}`,
      about: `How far the price (a median over the window and over pools) is from the last trade along the pools with the most weight. _Minutes_: every token in every
minute of the chain. _After trades_: the tokens traded in each block, at its end, when the window has hardly seen the new price.`,
    }),
    toTable(['Window', 'Minutes', 'Median', 'p99', 'After trades', 'Median', 'p99'], rows),
  ].join('\n\n')
}
