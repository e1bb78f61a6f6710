import { formatRelativeTime } from '@chainboard/core'
import type { FeedReading } from './readFeeds.ts'

/** As uint256 holds no more: 10^78 is larger. */
const decimalsMax = 77
/** A trillion US dollars per whole token x 10^18: nothing costs that, and figures made of it would overflow. */
const usdE18Max = 10n ** 30n
/** Clocks of block producers differ. */
const futureSecondsMax = 60n

/** What a feed says of its token: US dollars per whole token x 10^18 and unix seconds, or why it says nothing. */
export type FeedVerdict =
  | { readonly kind: 'price'; readonly usdE18: bigint; readonly updatedAtSeconds: number; readonly roundId: bigint }
  | { readonly kind: 'none'; readonly why: string }

/** Whether an aggregator's answer is a price. Pure. @param nowSeconds the time of the block it was read at */
export function judgeFeed({ feed, round, decimals }: FeedReading, nowSeconds: number): FeedVerdict {
  const { aggregator, heartbeatSeconds } = feed
  if (round === 'nothing') return none(`No contract answers at the price feed ${aggregator}`)
  if (round === 'refused') return none(`The price feed ${aggregator} does not answer latestRoundData()`)
  if (decimals === undefined) return none(`The price feed ${aggregator} does not report its decimals`)
  if (decimals > decimalsMax) return none(`The price feed ${aggregator} has ${decimals} decimals, over ${decimalsMax}`)
  const { roundId, answer, updatedAt } = round
  if (updatedAt === 0n) return none(`The price feed ${aggregator} is in the middle of a round`)
  if (answer <= 0n) return none(`The price feed ${aggregator} answers ${answer}`)
  const ageSeconds = BigInt(nowSeconds) - updatedAt
  if (ageSeconds < -futureSecondsMax) return none(`The price feed ${aggregator} reports a time in the future`)
  if (ageSeconds > BigInt(heartbeatSeconds)) {
    const age = formatRelativeTime(Number(updatedAt), nowSeconds)
    return none(`The price feed ${aggregator} last answered ${age}: its heartbeat is ${heartbeatSeconds} s`)
  }
  const usdE18 = (answer * 10n ** 18n) / 10n ** BigInt(decimals)
  if (usdE18 === 0n) return none(`The price feed ${aggregator} reports less than 10^-18 US dollars`)
  if (usdE18 > usdE18Max) return none(`The price feed ${aggregator} reports more than 10^12 US dollars`)
  return { kind: 'price', usdE18, updatedAtSeconds: Number(updatedAt), roundId }
}

function none(why: string): FeedVerdict {
  return { kind: 'none', why }
}
