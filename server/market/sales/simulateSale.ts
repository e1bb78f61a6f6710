import { randomBytes } from 'node:crypto'
import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import { isRevert } from '../../chain/isRevert.ts'
import { callAs } from './callAs.ts'
import { sellProbeCode } from './sellProbeCode.ts'

/** Smallest units of the token. `taken` is what left the pool or should have. */
type Amounts = { readonly taken: bigint; readonly block: number; readonly gasPriceWei?: bigint | undefined }

/**
 * What became of a token that was taken from its pool and sent back, at one block. `not-taken`: the transfer out of the pool fails.
 * `not-sold`: that back into the pool fails. `sold`: `received` of `taken` arrived at the buyer, and of that `returned` at the pool.
 */
export type Sale = Amounts &
  (
    | { readonly kind: 'not-taken' }
    | { readonly kind: 'not-sold' }
    | { readonly kind: 'sold'; readonly received: bigint; readonly returned: bigint }
  )

/** Which token is bought from which pool and sold back, at which block, and what gas costs then; undefined where that is not known. */
export type SaleRequest = {
  readonly token: Address
  readonly pool: Address
  readonly block: number
  readonly gasPriceWei?: bigint | undefined
}

/**
 * Simulates on chain that somebody buys a token from a pool and sells it back: one `eth_call`, which leaves nothing behind.
 * @returns undefined when the simulation did not run to its end, which says nothing of the token
 * @throws Failure of the codes `rpc-…` when the node does not answer or does not run such calls
 */
export async function simulateSale(
  chain: Pick<Chain, 'forward'>,
  { token, pool, block, gasPriceWei }: SaleRequest,
): Promise<Sale | undefined> {
  const data: Hex = `${sellProbeCode}${toWord(token)}${toWord(pool)}`
  try {
    return parseSale(await callAs(chain, { from: toStranger(), data, block, gasPriceWei }), block)
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

/** Nobody's account, and another one each time: a token would know one that stays. */
function toStranger(): Address {
  return `0x${randomBytes(20).toString('hex')}`
}

/** An address as a word of call data, without 0x. */
export function toWord(address: Address): string {
  return address.slice(2).padStart(64, '0')
}

function parseSale(answer: unknown, block: number): Sale | undefined {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{256}$/i.test(answer))
    throw new Failure('rpc-invalid', 'The node refuses calls that create a contract', { retryable: true })
  const words = (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  const [outcome = 0n, taken = 0n, received = 0n, returned = 0n] = words
  if (taken === 0n) return undefined
  if (outcome === 1n) return { kind: 'not-taken', taken, block }
  if (outcome === 2n) return { kind: 'not-sold', taken, block }
  if (outcome === 3n) return { kind: 'sold', taken, received, returned, block }
  return undefined
}
