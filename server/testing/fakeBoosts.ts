import type { Address, Hex } from '@chainboard/core'
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import type { FakeChain, FakeEvent } from '../chain/fakeChain.ts'
import { trader, usdc } from './market.ts'

// The boost contract as the server sees it on a fake chain: events, and its word on who is boosted.

export const boostContract: Address = `0x${'b0'.repeat(20)}`

const abi = parseAbi([
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
  'function paused() view returns (bool)',
])

export type FakePayment = {
  readonly token: Address
  readonly expiresAt: number
  readonly payer?: Address
  readonly paymentToken?: Address
  readonly amountRaw?: bigint
  readonly contract?: Address
}

let payments = 0

/** What a payment writes: 25 USDC of the trader unless said otherwise. */
export function payBoost({
  token,
  expiresAt,
  payer = trader,
  paymentToken = usdc,
  amountRaw = 25_000_000n,
  contract = boostContract,
}: FakePayment): FakeEvent[] {
  const place = { address: contract, transaction: payments++ }
  return [
    { ...place, name: 'TokenBoosted', args: { token, payer, expiresAt: BigInt(expiresAt) } },
    { ...place, name: 'PaymentReceived', args: { token, payer, paymentToken, amount: amountRaw } },
  ]
}

export function allowPaymentToken(paymentToken: Address, decimals: number, allowed = true): FakeEvent {
  return { address: boostContract, name: 'PaymentTokenUpdated', args: { paymentToken, allowed, decimals: BigInt(decimals) } }
}

/** Has the contract, which is not paused, answer who is boosted: those with an end. `read` may throw what the node fails with. Other calls go on as before. */
export function answerBoosts(chain: FakeChain, read: (block: number) => ReadonlyMap<Address, number>): void {
  const others = chain.methods.get('eth_call')
  chain.methods.set('eth_call', (params) => {
    const [{ to, data }, block] = params as [{ to: Address; data: Hex }, Hex]
    if (others && to !== boostContract) return others(params)
    const ends = read(Number(block))
    const asked = decodeFunctionData({ abi, data })
    if (asked.functionName === 'paused') return encodeFunctionResult({ abi, functionName: 'paused', result: false })
    const [tokens] = asked.args
    const expirations = tokens.map((token) => BigInt(ends.get(token.toLowerCase() as Address) ?? 0))
    const boosted = expirations.map((end) => end > 0n)
    return encodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', result: [boosted, expirations] })
  })
}
