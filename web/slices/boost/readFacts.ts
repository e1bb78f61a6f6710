import { isSameHex } from '@chainboard/core'
import type { Abi, ContractFunctionName, ContractFunctionReturnType, DecodeFunctionResultParameters } from 'viem'
import { decodeEventLog, decodeFunctionResult, type EncodeFunctionDataParameters, encodeFunctionData } from 'viem/utils'
import { type CallNode, NodeError, noAnswer } from '../../lib/callNode.ts'
import type { Receipt } from '../../lib/followTransaction.ts'
import { isHex } from '../../lib/untrusted.ts'
import { boostAbi, paymentTokenAbi } from './boostAbi.ts'

type Address = `0x${string}`

/** The parties to a boost. */
export type BoostParties = {
  readonly contract: Address
  readonly usdc: { readonly address: Address; readonly decimals: number }
  readonly token: Address
}

/**
 * What a boost rests on, as the chain has it. Amounts are in USDC's smallest unit. A figure that could not be read is as the
 * specification's §8 wants it: paused, not accepted, a price or a balance of 0, nothing approved, not boosted.
 */
export type BoostFacts = {
  readonly paused: boolean
  readonly accepted: boolean
  /** 0 when it is not known. */
  readonly costRaw: bigint
  readonly durationSeconds: number
  /** Unix seconds; 0 when the token is not boosted. */
  readonly boostedUntil: number
  /** Terms that will count later; `undefined` when none are announced, or that could not be read. */
  readonly announced: AnnouncedTerms | undefined
  readonly wallet: WalletFacts | undefined
}

/** `fromSeconds`: unix seconds. */
export type AnnouncedTerms = { readonly costRaw: bigint; readonly durationSeconds: number; readonly fromSeconds: number }

export type WalletFacts = {
  readonly address: string
  readonly balanceRaw: bigint
  readonly allowanceRaw: bigint
  /** What the wallet may take back of boosts that were removed. */
  readonly refundRaw: bigint
}

/** What a payment buys on a contract that does not say. */
const usualSeconds = 86_400n
const priceDecimals = 6n
const noTerms = [0n, 0n, 0n] as const

/**
 * Reads the contract, and the wallet when there is one. Each figure stands alone: one that fails takes no other with it.
 * @throws NodeError when the node answers nothing at all
 */
export async function readFacts(call: CallNode, parties: BoostParties, wallet: string | undefined): Promise<BoostFacts> {
  const { contract, usdc, token } = parties
  const reader = createReader(call)
  const boost = { to: contract, abi: boostAbi } as const
  const [paused, accepted, amount, priceE6, duration, pending, status, walletFacts] = await Promise.all([
    reader.read({ ...boost, functionName: 'paused' }, true),
    reader.read({ ...boost, functionName: 'isPaymentTokenAllowed', args: [usdc.address] }, false),
    reader.read({ ...boost, functionName: 'paymentAmount', args: [usdc.address] }, 0n),
    reader.read({ ...boost, functionName: 'boostPrice' }, 0n),
    reader.read({ ...boost, functionName: 'boostDuration' }, usualSeconds),
    reader.read({ ...boost, functionName: 'pendingTerms' }, noTerms),
    reader.read({ ...boost, functionName: 'getBatchBoostStatus', args: [[token]] }, [[], []]),
    isHex(wallet) ? readWallet(reader, parties, wallet) : undefined,
  ])
  if (!reader.hasAnswered()) throw new NodeError('The node is not responding')
  const [[isBoosted], [expiration]] = status
  return {
    paused,
    accepted,
    costRaw: amount || toAmount(priceE6, usdc.decimals),
    durationSeconds: Number(duration),
    boostedUntil: isBoosted ? Number(expiration) : 0,
    announced: toAnnounced(pending, usdc.decimals),
    wallet: walletFacts,
  }
}

function toAnnounced([priceE6, duration, from]: readonly [bigint, bigint, bigint], decimals: number): AnnouncedTerms | undefined {
  if (from === 0n) return undefined
  return { costRaw: toAmount(priceE6, decimals), durationSeconds: Number(duration), fromSeconds: Number(from) }
}

async function readWallet({ read }: Reader, { contract, usdc }: BoostParties, address: Address): Promise<WalletFacts> {
  const coin = { to: usdc.address, abi: paymentTokenAbi } as const
  const [balanceRaw, allowanceRaw, refundRaw] = await Promise.all([
    read({ ...coin, functionName: 'balanceOf', args: [address] }, 0n),
    read({ ...coin, functionName: 'allowance', args: [address, contract] }, 0n),
    read({ to: contract, abi: boostAbi, functionName: 'refundOf', args: [address, usdc.address] }, 0n),
  ])
  return { address, balanceRaw, allowanceRaw, refundRaw }
}

type Reader = ReturnType<typeof createReader>
type View<A extends Abi, N extends ContractFunctionName<A>> = { readonly to: Address } & EncodeFunctionDataParameters<A, N>

/** Reads views of contracts, and remembers whether the node has answered anything. */
function createReader(call: CallNode) {
  let answered = false
  return {
    hasAnswered: () => answered,
    async read<const A extends Abi, N extends ContractFunctionName<A>>(
      view: View<A, N>,
      otherwise: ContractFunctionReturnType<A, 'view', N>,
    ): Promise<ContractFunctionReturnType<A, 'view', N>> {
      const { to, ...params } = view
      const data = encodeFunctionData(params as EncodeFunctionDataParameters)
      try {
        const answer = await call('eth_call', [{ to, data }, 'latest'])
        answered = true
        return decodeFunctionResult({ ...params, data: answer } as DecodeFunctionResultParameters) as typeof otherwise
      } catch (error) {
        // A contract that says no has been asked.
        if (error instanceof NodeError && error.code !== noAnswer) answered = true
        return otherwise
      }
    },
  }
}

/** The price of a contract that does not take USDC now, rounded up as the contract does. */
function toAmount(priceE6: bigint, decimals: number): bigint {
  const unit = 10n ** priceDecimals
  return (priceE6 * 10n ** BigInt(decimals) + unit - 1n) / unit
}

/**
 * Until when the contract says in a receipt that the token is boosted, in unix seconds; `undefined` when it does not. What is paid for others in
 * the same transaction, as one that carries calls of many wallets may do, does not count.
 */
export function readBoostedUntil(
  { logs }: Receipt,
  { contract, token }: Pick<BoostParties, 'contract' | 'token'>,
): number | undefined {
  for (const { address, topics, data } of logs) {
    const [signature, ...rest] = topics
    if (address.toLowerCase() !== contract.toLowerCase() || !signature) continue
    try {
      const { args } = decodeEventLog({ abi: boostAbi, eventName: 'TokenBoosted', topics: [signature, ...rest], data })
      if (args && isSameHex(args.token, token)) return Number(args.expiresAt)
    } catch {
      // Another event of the contract.
    }
  }
  return undefined
}
