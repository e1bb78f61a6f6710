import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Times, WalletTimes } from './measure.ts'

type Measured = Measuring & {
  readonly wallets: number
  readonly tokens: number
  readonly ways: readonly { readonly name: string; readonly times: WalletTimes }[]
}

/** The section "Portfolio" of the document. */
export function toSection({ wallets, tokens, ways, ...measuring }: Measured): string {
  const row = (name: string, times: Times) => [name, ...[50, 95, 100].map((percent) => percentile(times, percent).toFixed(1))]
  return [
    ...toHead({
      ...measuring,
      title: 'Portfolio',
      about: `How long \`GET /api/wallets/{address}/balance\` takes with ${tokens} listed tokens. Every wallet holds some of each.`,
    }),
    `The whole server over HTTP on loopback, with a real node on the same machine; ${wallets} wallets, each requested for the first time. In milliseconds
from sending to the last byte. _At once_: all requests sent at the same time, each timed to its own answer. Every balance was checked to the last digit.`,
    toTable(
      ['Wallets', 'p50', 'p95', 'max'],
      ways.flatMap(({ name, times }) => [
        row(`${name}, one by one`, times.alone),
        row(`${name}, ${wallets} at once`, times.together),
      ]),
    ),
    `Calls to the node per wallet, including those that follow the chain: ${ways.map(({ name, times }) => `${times.callsPerWallet.toFixed(2)} ${name}`).join(', ')}.`,
  ].join('\n\n')
}
