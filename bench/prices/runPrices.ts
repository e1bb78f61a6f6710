import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Address, parseAddress } from '@chainboard/core'
import { startDevnet } from '@chainboard/devnet'
import { readConfig } from '../../server/config.ts'
import { toValuation } from '../../server/networkFile.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { useScratchIndex } from '../faults/compareWithScratch.ts'
import { makeNetworks } from '../faults/networks.ts'
import { describeMachine } from '../machine.ts'
import { median, percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { comparePrices } from './comparePrices.ts'

export const usage = `npm run bench -- prices [--replay file.csv.gz] [--out file]
  --replay   a recording that the devnet plays instead of its own month (devnet/README.md)
  --out      the document whose section "Prices" is written (default docs/benchmarks.md)`

const windows = [120, 180, 240, 300, 600]

/** Measures how far the median price lies from the last trade in an honest market. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      replay: { type: 'string' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const machine = describeMachine()
  const onProgress = (text: string) => console.log(`devnet: ${text}`)
  const devnet = await startDevnet({ live: false, signal, onProgress, ...(values.replay ? { replayCsv: values.replay } : {}) })
  const folder = makeFolder('prices')
  try {
    const networksDir = makeNetworks()
    // Of a recording only one pool is real.
    const recorded =
      values.replay === undefined ? undefined : toAddress(devnet.tokens.find(({ symbol }) => symbol === 'WEMB')?.address)
    const { network } = readConfig({ NETWORK: 'devnet', DATA_DIR: folder }, networksDir)
    const rows = await useScratchIndex({ rpcUrl: devnet.rpcUrl, networksDir, signal }, async (store) => {
      const table: string[][] = []
      for (const windowSeconds of windows) {
        const { minutes, trades } = await comparePrices(store, { ...toValuation(network), windowSeconds }, recorded)
        table.push([`${windowSeconds} s`, ...toCells(minutes), ...toCells(trades)])
        console.log(table.at(-1)?.join('  '))
      }
      return table
    })
    const section = toSection(rows, values.replay === undefined ? "the devnet's month" : 'a recording', machine.words)
    console.log(`\n${section}`)
    writeSection(values.out, values.replay === undefined ? 'prices' : 'prices-recorded', section)
    console.log(`Written to ${values.out}`)
  } finally {
    await devnet.stop()
    removeFolder(folder)
  }
}

function toAddress(text: string | undefined): Address {
  const address = parseAddress(text ?? '')
  if (!address) throw new Error('the devnet has no WEMB')
  return address
}

function toCells(distances: readonly number[]): string[] {
  const toPercent = (part: number) => `${(part * 100).toFixed(3)} %`
  return [String(distances.length), ...[median(distances), percentile(distances, 99)].map(toPercent)]
}

function toSection(rows: readonly string[][], market: string, machine: readonly string[]): string {
  const head = ['Window', 'Minutes', 'Median', 'p99', 'After trades', 'Median', 'p99']
  return `## Prices: ${market}

How far the price, a median over the window and over pools, lies from the last trade along the pools that weigh most. "Minutes": every token at every minute of
the chain; "after trades": the tokens of each block that traded, at its end, when the trade has not lasted yet.

\`npm run bench -- prices${market === 'a recording' ? ' --replay <file>' : ''}\`

${toTable(head, rows)}

${machine.map((line) => `- ${line}`).join('\n')}
`
}
