import type { Address } from '@chainboard/core'
import { noAddress, readContract } from '../chain/readContract.ts'
import { ok, warn } from '../finding.ts'
import type { ListedToken } from '../market/tokenList.ts'
import { toAddress, toValuation } from '../networkFile.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { judgePool } from './judgePool.ts'

/** Tokens whose pools are looked for: one call for each money and fee. */
const tokensMax = 300

/** Looks at the pools that the list names, and for tokens that no pool leads to dollars in one step. */
export async function checkPools(run: DoctorRun, node: UsableNode, fees: readonly number[]): Promise<void> {
  await checkNamedPools(run, node)
  await findPoolless(run, node, fees)
}

async function checkNamedPools(run: DoctorRun, node: UsableNode): Promise<void> {
  const { chain } = node
  const factory = toAddress(run.examined.network.dex.factory)
  let named = 0
  let right = 0
  for (const [i, { id, symbol, priceInfo }] of run.examined.tokens.entries()) {
    if (!priceInfo || named >= tokensMax || run.signal.aborted) continue
    named += 1
    const to = toAddress(priceInfo.poolAddress)
    const field = `assets.json.${i} (${symbol}).priceInfo`
    const facts = await ask(
      node,
      async () => {
        const [of, token0, token1, fee] = await Promise.all([
          readContract(chain, { to, name: 'factory' }),
          readContract(chain, { to, name: 'token0' }),
          readContract(chain, { to, name: 'token1' }),
          readContract(chain, { to, name: 'fee' }),
        ])
        return { factory: of, token0, token1, fee }
      },
      run,
    )
    const finding =
      facts.kind === 'answer'
        ? judgePool({ field, pool: priceInfo.poolAddress, token: id, feeTier: priceInfo.feeTier, factory }, facts.value)
        : warn({ field, found: `"${facts.said}"`, wanted: "the pool's answers", todo: 'Not checked: try again' })
    if (finding.level === 'ok') right += 1
    else run.say(finding)
  }
  if (right > 0) run.say(ok('assets.json', `${right} of ${named} pools named in priceInfo are the exchange's`))
}

async function findPoolless(run: DoctorRun, node: UsableNode, fees: readonly number[]): Promise<void> {
  const { network, tokens } = run.examined
  const { stables, wrappedNative, quotes } = toValuation(network)
  const moneys = [...stables, wrappedNative, ...quotes]
  const without: string[] = []
  const looked = tokens.slice(0, tokensMax)
  for (const token of looked) {
    if (run.signal.aborted) return
    const has = await ask(node, () => hasPool(node, run, { token, moneys, fees }), run)
    if (has.kind === 'answer' && !has.value) without.push(token.symbol)
  }
  const field = 'assets.json'
  if (without.length === 0)
    return run.say(ok(field, `${looked.length} tokens have a pool with a US dollar or ${network.wrappedNative.symbol}`))
  run.say(
    warn({
      field,
      found: `no pool with a US dollar or ${network.wrappedNative.symbol} for ${without.join(', ')}`,
      wanted: 'one for each token',
      todo: 'They get a price only through other tokens, at half the confidence, or from another source. To let more tokens price others, list them in prices.quotes',
    }),
  )
}

type PoolSearch = { readonly token: ListedToken; readonly moneys: readonly Address[]; readonly fees: readonly number[] }

async function hasPool({ chain }: UsableNode, { examined }: DoctorRun, { token, moneys, fees }: PoolSearch): Promise<boolean> {
  const to = toAddress(examined.network.dex.factory)
  const pairs = moneys
    .filter((money) => money !== token.id)
    .flatMap((money) => fees.map((fee) => [token.id, money, fee] as const))
  const pools = await Promise.all(pairs.map((args) => readContract(chain, { to, name: 'getPool', args })))
  return pools.some((pool) => pool !== undefined && pool !== noAddress)
}
