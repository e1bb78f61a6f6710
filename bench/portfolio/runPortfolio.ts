import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { type Config, readConfig } from '../../server/config.ts'
import { toTokenList } from '../../server/market/tokenList.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { countWallets, measureWallets } from './measure.ts'
import { placeTokens } from './placeTokens.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- portfolio [--wallets n] [--tokens n] [--out file]
  --wallets  that are read, once one by one and once at once (default 20)
  --tokens   that the list has, and each wallet something of (default 500)
  --out      the document whose section "Portfolio" is written (default docs/benchmarks.md)`

/** Two rounds of them stay under what one client may ask for in a minute. */
const walletsMax = 50
const tokensMax = 5_000
/** Where no contract is. */
const nobody = `0x${'9'.repeat(40)}`

/** Measures, prints, and writes the section. @throws Error at a balance that is not the chain's */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { wallets, tokens, out } = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the numbers will be worth little.')
  const folder = makeFolder('portfolio')
  const devnet = await startDevnet({ history: 'short', live: false, signal })
  try {
    console.log(`Placing ${tokens} tokens for ${countWallets(wallets)} wallets`)
    const entries = await placeTokens(devnet, { tokens, wallets: countWallets(wallets), signal })
    const measure = (name: string, multicall?: string) => {
      const settings = {
        NETWORK: 'devnet',
        RPC_URL: devnet.rpcUrl,
        DATA_DIR: `${folder}/${name}`,
        PORT: '0',
        LOG_LEVEL: 'silent',
      }
      const { network, ...config } = readConfig(settings)
      const changed = { ...network, chain: multicall ? { ...network.chain, multicall } : network.chain }
      const asked: Config = { ...config, network: changed, tokenList: toTokenList(entries, []) }
      console.log(name)
      return measureWallets(asked, wallets, signal).then((times) => ({ name, times }))
    }
    const ways = [await measure('with a multicall'), await measure('without', nobody)]
    const command = `npm run bench -- portfolio${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, machine, wallets, tokens, ways })
    console.log(`\n${section}`)
    writeSection(out, 'portfolio', section)
    console.log(`Written to ${out}`)
  } finally {
    await devnet.stop()
    removeFolder(folder)
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      wallets: { type: 'string', default: '20' },
      tokens: { type: 'string', default: '500' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const toCount = (option: 'wallets' | 'tokens', max: number) => parseCount({ option, text: values[option], max, usage })
  return { wallets: toCount('wallets', walletsMax), tokens: toCount('tokens', tokensMax), out: values.out }
}
