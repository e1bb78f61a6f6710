import type { Address } from '@chainboard/core'
import type { Parties } from './findParties.ts'
import { sumProvided } from './joinProviders.ts'
import type { TradedPool } from './readTradedPools.ts'
import type { Handed } from './readTransfers.ts'

/** Wallets of a token that are compared with each other: those of which most counts, and the largest providers of its pools. */
const tradersMax = 400
const providersMax = 100
/** After so long the transfers between them are read again. */
const recheckMs = 600_000
/** A new trader has them read again after so long; until then what he trades counts nothing. */
const recheckNewMs = 60_000
/** Fewer wallets are not compared, however many transfers they make. */
const originsMin = 8
const timesMax = 6
/** Tokens whose transfers are read in a turn. */
const tokensPerTurn = 4

/** What was read of two wallets is kept for so long after one of them is no longer compared. */
const keepHandedMs = 3_600_000
const handedMax = 200_000

/** When the transfers of a token, and of money, between wallets were read. */
export type OriginCheck = {
  readonly origins: ReadonlySet<string>
  /** Wallets that were to be compared and made more transfers than the node tells. */
  readonly unread: ReadonlySet<string>
  /** With what was read of other pairs of wallets within the hour before. */
  readonly handed: readonly HandedAt[]
  readonly atMs: number
}

type HandedAt = Handed & { readonly readAtMs: number }

/**
 * What was handed on as far as it is known: those that take turns in being compared would each count as strangers to the others. Pure.
 * @param before by the check before
 */
export function keepHanded(
  before: readonly HandedAt[],
  { origins, handed, atMs }: Pick<OriginCheck, 'origins' | 'atMs'> & { readonly handed: readonly Handed[] },
): HandedAt[] {
  const isOther = ({ from, to }: Handed) => !origins.has(from) || !origins.has(to)
  const earlier = before.filter((one) => isOther(one) && atMs - one.readAtMs < keepHandedMs)
  return [...handed.map((one) => ({ ...one, readAtMs: atMs })), ...earlier].slice(0, handedMax)
}

/**
 * The wallets and contracts of a token whose transfers to each other matter: traders by what would count of each by itself, so that who
 * buys and sells again takes no place of others, then providers by what they provide. Pure.
 */
export function listOrigins(
  token: Address,
  pools: readonly TradedPool[],
  { ranks, providerOf }: Pick<Parties, 'providerOf'> & { readonly ranks: ReadonlyMap<Address, bigint> },
): Address[] {
  const own = pools.filter(({ token0, token1 }) => token0 === token || token1 === token)
  return [...new Set([...pickLargest(ranks, tradersMax), ...pickLargest(sumProvided(own, providerOf), providersMax)])]
}

function pickLargest(usdOf: ReadonlyMap<Address, bigint>, max: number): Address[] {
  const largestFirst = [...usdOf].sort(([, a], [, b]) => (a > b ? -1 : a < b ? 1 : 0))
  return largestFirst.slice(0, max).map(([one]) => one)
}

/** What failed of a token. `times`: how often its transfers were too many in the end; it is not tried before `untilMs`. */
export type CheckFailure = { readonly times: number; readonly untilMs: number }

type Told = 'too-many' | 'not-answered' | 'read'

/** What is to be remembered after a token's transfers were read or not; undefined: nothing. Pure. */
export function noteCheck(before: CheckFailure | undefined, told: Told, nowMs: number): CheckFailure | undefined {
  const times = before?.times ?? 0
  // Others have their turns first.
  if (told === 'not-answered') return { times, untilMs: nowMs + recheckNewMs }
  if (told === 'read') return times > 1 ? { times: times - 1, untilMs: nowMs + recheckMs } : undefined
  return { times: Math.min(times + 1, timesMax), untilMs: nowMs + Math.min(recheckMs, recheckNewMs * 2 ** times) }
}

/** The first of a token's wallets: half of them for each time that their transfers were too many. Pure. */
export function cutOrigins(origins: readonly Address[], failure: CheckFailure | undefined): readonly Address[] {
  return origins.slice(0, Math.max(originsMin, origins.length >> (failure?.times ?? 0)))
}

type CheckState = {
  readonly checks: ReadonlyMap<Address, OriginCheck>
  readonly failures: ReadonlyMap<Address, CheckFailure>
  readonly nowMs: number
}

/** Which tokens to check in this turn: those never checked first, then the longest ago. Pure. */
export function pickToCheck(
  tokens: readonly Address[],
  originsOf: (token: Address) => readonly Address[],
  { checks, failures, nowMs }: CheckState,
): Address[] {
  const isDue = (token: Address) => {
    if (nowMs < (failures.get(token)?.untilMs ?? nowMs)) return false
    const check = checks.get(token)
    if (!check || nowMs - check.atMs >= recheckMs) return true
    const isNew = (origin: Address) => !check.origins.has(origin) && !check.unread.has(origin)
    return nowMs - check.atMs >= recheckNewMs && originsOf(token).some(isNew)
  }
  const atMs = (token: Address) => Math.max(checks.get(token)?.atMs ?? 0, failures.get(token)?.untilMs ?? 0)
  return tokens
    .filter(isDue)
    .sort((a, b) => atMs(a) - atMs(b))
    .slice(0, tokensPerTurn)
}
