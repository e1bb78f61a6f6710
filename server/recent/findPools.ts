import type { Address, Hex } from '@chainboard/core'
import { callMany, type ViewAnswer, type ViewCall } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import { noAddress } from '../chain/readContract.ts'

/** A pool and what never changes of it. `fee` is in millionths. */
export type PoolFacts = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly tickSpacing: number
}

export type PoolSearch = {
  readonly factory: Address
  readonly multicall: Address
  /** Whether a pool of these tokens belongs into the index. */
  readonly wants: (token0: Address, token1: Address) => boolean
}

/** Fees in millionths that exchanges of this kind have; the factory says which of them are its own. */
const feesAsked = [100, 200, 250, 300, 400, 500, 1_000, 2_000, 2_500, 3_000, 5_000, 10_000, 20_000, 25_000] as const
/** What every factory begins with. */
const feesUsual = [500, 3_000, 10_000] as const
/** Pairs that the factory is asked about: beyond them only those with a quote are. */
const pairsMax = 10_000

/** Selectors of the factory and of its pools. */
const selectors = {
  feeAmountTickSpacing: '0x22afcccb',
  getPool: '0x1698ee82',
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
  fee: '0xddca3f43',
  tickSpacing: '0xd0c93a7c',
} as const

/**
 * Asks the factory for the pools of every pair of tokens, those with a quote first, at the newest block.
 * @param tokens those of the token list
 * @param quotes what tokens are priced in
 * @throws Failure `rpc-…`
 */
export async function findPools(
  chain: Pick<Chain, 'forward'>,
  { factory, multicall }: PoolSearch,
  { tokens, quotes }: { readonly tokens: readonly Address[]; readonly quotes: readonly Address[] },
): Promise<Address[]> {
  const ask = (calls: readonly ViewCall[]) => callMany(chain, calls, { multicall, block: 'latest' })
  const spacings = await ask(feesAsked.map((fee) => ({ to: factory, data: encode(selectors.feeAmountTickSpacing, BigInt(fee)) })))
  const known = feesAsked.filter((_, i) => toNumber(spacings[i]) > 0)
  const fees = known.length > 0 ? known : feesUsual
  const calls = listPairs(tokens, quotes).flatMap(([a, b]) =>
    fees.map((fee) => ({ to: factory, data: encode(selectors.getPool, BigInt(a), BigInt(b), BigInt(fee)) })),
  )
  const answers = await ask(calls)
  return [...new Set(answers.flatMap((answer) => toAddress(answer) ?? []))]
}

/** Each pair once. */
function listPairs(tokens: readonly Address[], quotes: readonly Address[]): (readonly [Address, Address])[] {
  const all = [...new Set([...quotes, ...tokens])]
  const pairs: (readonly [Address, Address])[] = []
  const firsts = (all.length * (all.length - 1)) / 2 <= pairsMax ? all : all.slice(0, new Set(quotes).size)
  for (const [i, a] of firsts.entries()) for (const b of all.slice(i + 1)) pairs.push([a, b])
  return pairs
}

/**
 * Asks contracts what pools they are. Anybody may name our factory as theirs: only what the factory itself calls its pool counts.
 * @returns those that are pools of the index
 * @throws Failure `rpc-…`
 */
export async function readPoolFacts(
  chain: Pick<Chain, 'forward'>,
  { factory, multicall, wants }: PoolSearch,
  addresses: readonly Address[],
): Promise<PoolFacts[]> {
  const ask = (calls: readonly ViewCall[]) => callMany(chain, calls, { multicall, block: 'latest' })
  const getters = ['token0', 'token1', 'fee', 'tickSpacing'] as const
  const answers = await ask(addresses.flatMap((to) => getters.map((name) => ({ to, data: selectors[name] }))))
  const claimed = addresses.flatMap((address, i) => {
    const [first, second, fee, spacing] = answers.slice(i * getters.length, (i + 1) * getters.length)
    const [token0, token1, tickSpacing] = [toAddress(first), toAddress(second), toNumber(spacing)]
    if (!token0 || !token1 || fee?.length !== 66 || tickSpacing <= 0 || !wants(token0, token1)) return []
    return [{ address, token0, token1, fee: toNumber(fee), tickSpacing }]
  })
  const made = await ask(
    claimed.map(({ token0, token1, fee }) => ({
      to: factory,
      data: encode(selectors.getPool, BigInt(token0), BigInt(token1), BigInt(fee)),
    })),
  )
  return claimed.filter(({ address }, i) => toAddress(made[i]) === address)
}

function encode(selector: Hex, ...words: readonly bigint[]): Hex {
  return `${selector}${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
}

/** 0 for no answer, and for what is no small number. */
function toNumber(answer: ViewAnswer): number {
  const value = answer?.length === 66 ? BigInt(answer) : 0n
  return value < 2n ** 24n ? Number(value) : 0
}

function toAddress(answer: ViewAnswer): Address | undefined {
  if (answer?.length !== 66 || !/^0x0{24}/.test(answer)) return undefined
  const address: Address = `0x${answer.slice(26).toLowerCase()}`
  return address === noAddress ? undefined : address
}
