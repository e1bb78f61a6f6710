import type { Address, Hex } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { ChainLog } from '../chain/chain.ts'
import type { BoostPayment } from '../store/boostPayments.ts'

/** Decimals of payment tokens, as the contract took them when it allowed each. */
export type Decimals = ReadonlyMap<Address, number>

/** A payment; `decimals` are undefined when no log so far said them. */
export type LoggedPayment = Omit<BoostPayment, 'decimals'> & { readonly decimals: number | undefined }

const topics = {
  boosted: toEventSelector('TokenBoosted(address,address,uint256)'),
  paid: toEventSelector('PaymentReceived(address,address,address,uint256)'),
  paymentToken: toEventSelector('PaymentTokenUpdated(address,bool,uint256)'),
} as const

/** First topics of every event that the ledger is made of. */
export const boostTopics: readonly Hex[] = Object.values(topics)

/**
 * Payments in logs of the boost contract, and the decimals known after them. Pure and total: a payment is a `TokenBoosted` and the
 * `PaymentReceived` right after it, and what is anything else is none.
 * @param logs of one contract, in the order of the chain
 * @param known decimals before these logs
 */
export function decodeBoostLogs(
  logs: readonly ChainLog[],
  known: Decimals,
): { readonly payments: readonly LoggedPayment[]; readonly decimals: Decimals } {
  const decimals = new Map(known)
  const payments: LoggedPayment[] = []
  for (const [place, log] of logs.entries()) {
    if (isEvent(log, 'paymentToken') && BigInt(wordOf(log, 0)) !== 0n) {
      decimals.set(toAddress(log.topics[1]), Number(BigInt(wordOf(log, 1))))
    } else if (isEvent(log, 'paid')) {
      const boosted = logs[place - 1]
      const payment = boosted && toPayment(boosted, log)
      if (payment) payments.push({ ...payment, decimals: decimals.get(payment.paymentToken) })
    }
  }
  return { payments, decimals }
}

/** Whether the decimals of a payment token change with a log. */
export function saysDecimals(log: ChainLog): boolean {
  return isEvent(log, 'paymentToken')
}

function toPayment(boosted: ChainLog, paid: ChainLog): Omit<LoggedPayment, 'decimals'> | undefined {
  const isOne =
    isEvent(boosted, 'boosted') &&
    boosted.txHash === paid.txHash &&
    boosted.logIndex + 1 === paid.logIndex &&
    boosted.topics[1] === paid.topics[1] &&
    boosted.topics[2] === paid.topics[2]
  const expiresAt = isOne ? BigInt(wordOf(boosted, 0)) : 0n
  if (!isOne || expiresAt > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return {
    blockNumber: paid.blockNumber,
    logIndex: paid.logIndex,
    token: toAddress(paid.topics[1]),
    payer: toAddress(paid.topics[2]),
    paymentToken: toAddress(paid.topics[3]),
    amountRaw: BigInt(wordOf(paid, 0)),
    expiresAtSeconds: Number(expiresAt),
    txHash: paid.txHash,
    timestampSeconds: paid.timestampSeconds,
  }
}

/** Topics (with the first) and 32-byte words of data of each event. */
const shapes = {
  boosted: { topics: 3, words: 1 },
  paid: { topics: 4, words: 1 },
  paymentToken: { topics: 2, words: 2 },
} as const

function isEvent(log: ChainLog, kind: keyof typeof topics): boolean {
  const shape = shapes[kind]
  return log.topics[0] === topics[kind] && log.topics.length === shape.topics && log.data.length === 2 + 64 * shape.words
}

function wordOf({ data }: ChainLog, place: number): Hex {
  return `0x${data.slice(2 + 64 * place, 66 + 64 * place)}`
}

function toAddress(topic: Hex | undefined): Address {
  return `0x${(topic ?? '').slice(26).toLowerCase()}`
}
