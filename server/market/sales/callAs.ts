import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import { isRevert } from '../../chain/isRevert.ts'

/** Far more than an honest transfer takes, and far less than nodes let a call burn. */
const gasMax = 10_000_000n
/** What the caller has beside the gas, as people do. */
const coinsWei = 10n ** 18n

/** A call at one block. `to` absent: `data` creates a contract. */
export type CallAs = {
  readonly from: Address
  readonly to?: Address
  readonly data: Hex
  readonly block: number
  /** What the caller's address has as code during the call; absent: what it has. */
  readonly code?: Hex
  /** What the caller pays for gas; undefined where that is not known. */
  readonly gasPriceWei: bigint | undefined
}

/**
 * Runs a call as if `from` had sent a transaction, for a contract that tells those from calls: it pays for its gas, from a balance that
 * the call gives it. Without a price where the node accepts no such balance.
 * @throws Failure as the node does
 */
export async function callAs(
  { forward }: Pick<Chain, 'forward'>,
  { gasPriceWei, block, code, ...call }: CallAs,
): Promise<unknown> {
  const plain = { ...call, gas: toQuantity(gasMax) }
  const at = toQuantity(BigInt(block))
  const own = code ? { code } : {}
  if (gasPriceWei !== undefined) {
    const balance = toQuantity(gasMax * gasPriceWei + coinsWei)
    try {
      const state = { [call.from]: { ...own, balance } }
      return await forward('eth_call', [{ ...plain, gasPrice: toQuantity(gasPriceWei) }, at, state])
    } catch (error) {
      if (isRevert(error) || !isRefusal(error)) throw error
    }
  }
  return forward('eth_call', code ? [plain, at, { [call.from]: own }] : [plain, at])
}

/** What a transaction pays for gas now, in wei; undefined where the node does not say. @throws Failure when it does not answer */
export async function readGasPrice({ forward }: Pick<Chain, 'forward'>): Promise<bigint | undefined> {
  try {
    const answer = await forward('eth_gasPrice', [])
    return typeof answer === 'string' && /^0x[0-9a-f]{1,32}$/i.test(answer) ? BigInt(answer) : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.code === 'rpc-refused'
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
