import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Times, WalletTimes } from './measure.ts'

type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly wallets: number
  readonly tokens: number
  readonly ways: readonly { readonly name: string; readonly times: WalletTimes }[]
}

/** The section "Portfolio" of the document. */
export function toSection({ command, machine, wallets, tokens, ways }: Measured): string {
  const row = (name: string, times: Times) => [name, ...[50, 95, 100].map((percent) => percentile(times, percent).toFixed(1))]
  return [
    '## Portfolio',
    `What \`GET /api/wallets/{address}/balance\` costs with ${tokens} listed tokens, of each of which every wallet has something.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    `The whole server over HTTP on loopback, in front of a real node on the same machine; ${wallets} wallets that nobody has asked about before, in milliseconds
from sending to the last byte. _At once_: all asked for in the same moment, each until its own answer. Every balance was checked to the last digit.`,
    toTable(
      ['Wallets', 'p50', 'p95', 'max'],
      ways.flatMap(({ name, times }) => [
        row(`${name}, one by one`, times.alone),
        row(`${name}, ${wallets} at once`, times.together),
      ]),
    ),
    `Calls of the node for one wallet, those among them by which the server follows the chain: ${ways.map(({ name, times }) => `${times.callsPerWallet.toFixed(2)} ${name}`).join(', ')}.`,
  ].join('\n\n')
}
