import { routes } from '@chainboard/contract'
import { rawToDecimal } from '@chainboard/core'
import { createViemChain } from '../../server/chain/viemChain.ts'
import type { Config } from '../../server/config.ts'
import { startServer } from '../../server/startServer.ts'
import { CheckFailed } from '../checkFailed.ts'
import { parseJson } from '../checkShape.ts'
import { createHttpClient } from '../httpClient.ts'
import { NotMeasured } from '../notMeasured.ts'
import { within } from '../waiting.ts'
import { toHolding, toWallet } from './placeTokens.ts'

/** Milliseconds of each wallet. */
export type Times = readonly number[]

/** How long the server took for wallets, in milliseconds. */
export type WalletTimes = {
  /** One wallet after the other. */
  readonly alone: Times
  /** All wallets at the same time, each to its own answer. */
  readonly together: Times
  /** Calls to the node meanwhile, per wallet, including those that follow the chain. */
  readonly callsPerWallet: number
}

const startMsMax = 60_000
const warmUpWallets = 5

/** Wallets that a measurement of `wallets` needs: those of the warm-up, and two rounds without one that is kept. */
export function countWallets(wallets: number): number {
  return warmUpWallets + 2 * wallets
}

/** Times the whole server over HTTP on wallets that it has not seen. @throws CheckFailed at any balance that is not the chain's */
export async function measureWallets(config: Config, wallets: number, signal: AbortSignal): Promise<WalletTimes> {
  const chain = createViemChain(config.rpcUrls)
  let calls = 0
  const counted =
    <A extends unknown[], T>(call: (...args: A) => T) =>
    (...args: A) => {
      calls += 1
      return call(...args)
    }
  const server = await startServer(config, {
    ...chain,
    readHead: counted(chain.readHead),
    readHeader: counted(chain.readHeader),
    forward: counted(chain.forward),
  })
  const clients = Array.from({ length: wallets }, () => createHttpClient(server.url))
  const tokens = config.tokenList.tokens.length
  const read = async (wallet: number, client = clients[0]) => {
    const from = performance.now()
    const answer = await client?.get(`/api/wallets/${toWallet(wallet)}/balance`)
    const ms = performance.now() - from
    checkAnswer(answer, { wallet, tokens })
    return ms
  }
  try {
    await within(server.full, { what: 'the server', msMax: startMsMax, signal })
    for (let wallet = 0; wallet < warmUpWallets; wallet += 1) await read(wallet)
    calls = 0
    const alone: number[] = []
    for (let i = 0; i < wallets; i += 1) alone.push(await read(warmUpWallets + i))
    const callsPerWallet = calls / wallets
    const together = await Promise.all(clients.map((client, i) => read(warmUpWallets + wallets + i, client)))
    return { alone, together, callsPerWallet }
  } finally {
    for (const client of clients) client.close()
    await server.close()
  }
}

function checkAnswer(
  answer: { status: number; body: string } | undefined,
  { wallet, tokens }: { wallet: number; tokens: number },
) {
  const where = `the balances of wallet ${wallet}`
  if (answer?.status !== 200) throw new NotMeasured(`${where}: ${answer?.body}`)
  const found = parseJson(routes.getBalances.schema.response[200], answer.body, where).tokens.map(({ balance }) => balance)
  const wrong = Array.from({ length: tokens }, (_, token) => rawToDecimal(toHolding(wallet, token), 18)).findIndex(
    (text, token) => text !== found[token],
  )
  if (wrong >= 0 || found.length !== tokens)
    throw new CheckFailed(`${where}: found ${found[wrong]} of token ${wrong} and ${found.length} in all`)
}
