import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { readConfig } from '../../server/config.ts'
import { toTokenList } from '../../server/market/tokenList.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { withDevnet } from '../withDevnet.ts'
import { countWallets, measureWallets, type WalletTimes } from './measure.ts'
import { placeTokens } from './placeTokens.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- portfolio [--wallets n] [--tokens n] [--out file]
  --wallets  to read, first one by one and then all at once (default 20)
  --tokens   in the list, of each of which each wallet has some (default 500)
  --out      the document with the section "Portfolio" (default docs/benchmarks.md)`

/** Two rounds of them are below the limit of requests per client and minute. */
const walletsMax = 50
const tokensMax = 5_000
/** Without a contract. */
const nobody = `0x${'9'.repeat(40)}`

/** Measures reading balances, with a multicall contract and without. @throws CheckFailed at a balance that is not the chain's */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { wallets: { type: 'string', default: '20' }, tokens: { type: 'string', default: '500' }, out: outOption },
  })
  const wallets = parseCount({ option: 'wallets', text: values.wallets, max: walletsMax })
  const tokens = parseCount({ option: 'tokens', text: values.tokens, max: tokensMax })
  await measureSection({ name: 'portfolio', args, out: values.out }, async (measuring) => {
    const ways = await withDevnet({ history: 'short', live: false, signal }, (devnet) =>
      measureWays(devnet, { wallets, tokens, signal }),
    )
    return toSection({ ...measuring, wallets, tokens, ways })
  })
}

type Plan = { readonly wallets: number; readonly tokens: number; readonly signal: AbortSignal }

async function measureWays(devnet: Devnet, { wallets, tokens, signal }: Plan) {
  const folder = makeFolder('portfolio')
  console.log(`Placing ${tokens} tokens for ${countWallets(wallets)} wallets`)
  const tokenList = toTokenList(await placeTokens(devnet, { tokens, wallets: countWallets(wallets), signal }), [])
  const measure = async (name: string, multicall?: string): Promise<{ name: string; times: WalletTimes }> => {
    const env = { NETWORK: 'devnet', RPC_URL: devnet.rpcUrl, DATA_DIR: `${folder}/${name}`, PORT: '0', LOG_LEVEL: 'silent' }
    const { network, ...config } = readConfig(env)
    const chain = multicall ? { ...network.chain, multicall } : network.chain
    console.log(name)
    return { name, times: await measureWallets({ ...config, network: { ...network, chain }, tokenList }, wallets, signal) }
  }
  const ways = [await measure('with a multicall'), await measure('without', nobody)]
  removeFolder(folder)
  return ways
}
