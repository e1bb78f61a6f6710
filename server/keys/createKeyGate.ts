import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { freeKeySleepsAfterSeconds } from '../budgets/budgets.ts'
import { secondsLeftOfDay } from './dayNumber.ts'
import type { Endings } from './endings.ts'
import { apiKeyLength, hashApiKey, isApiKey } from './keyFormat.ts'
import type { KeyGate, Principal, Refusal, Spent } from './keyGate.ts'
import { judgeKey, type KeyIndex, type KeyState } from './keyIndex.ts'
import type { QuotaOwner } from './quotaAccount.ts'
import type { QuotaLedger } from './quotaLedger.ts'

/** Requests of a UTC day for each client without a key. */
const sharedLimit = 10_000
/** Clients whose principals are kept at a time. */
const clientsMax = 20_000
/** A key that sleeps is looked up again after so long. */
const askAgainSeconds = 60
/** Clients share so many counters, so that made-up addresses fill no table. */
const clientBuckets = 2 ** 24

type KeyGateParts = {
  readonly index: KeyIndex
  readonly ledger: QuotaLedger
  readonly endings: Endings
  /** A hash of an address that nobody can turn back without a secret: 64 hexadecimal digits. */
  readonly hashClient: (client: string) => string
  /** Told of every request that a key has paid for. */
  readonly onUse: (keyId: string, atSeconds: number) => void
  readonly nowMs: () => number
}

/** The gate over the keys of the store and the ledger of their days. */
export function createKeyGate({ index, ledger, endings, hashClient, onUse, nowMs }: KeyGateParts): KeyGate {
  const clients = new LRUCache<string, Owner>(lruLimit(clientsMax))
  const ownerOf = (client: string): Owner => {
    const known = clients.get(client)
    if (known) return known
    const bucket = Number.parseInt(hashClient(client).slice(0, 8), 16) % clientBuckets
    const owner: Owner = { id: `client:${bucket.toString(16)}`, tier: 'shared', kind: 'shared', limit: sharedLimit }
    clients.set(client, owner)
    return owner
  }

  const pay = (owner: Owner, atMs: number): Spent | Promise<Spent> => {
    const remaining = ledger.spend(owner, atMs)
    return remaining instanceof Promise
      ? remaining.then((count) => answer(owner, count, nowMs()))
      : answer(owner, remaining, atMs)
  }
  const answer = (owner: Owner, remaining: number | undefined, atMs: number): Spent => {
    const seconds = atMs / 1000
    const { tier, limit } = owner
    const resetSeconds = secondsLeftOfDay(seconds)
    if (remaining === undefined) return { ok: false, refusal: { code: 'RATE_LIMIT_EXCEEDED', limit, remaining: 0, resetSeconds } }
    if (owner.kind === 'key') onUse(owner.id, seconds)
    return { ok: true, principal: owner, allowance: { tier, limit, remaining, resetSeconds } }
  }
  const payByKey = (state: KeyState | undefined): Spent | Promise<Spent> => {
    const atMs = nowMs()
    const why = judgeKey(state, atMs / 1000)
    if (!state || why) return refuse(why ?? 'INVALID_API_KEY')
    const { rest, owner } = state
    if (rest) {
      if (rest.awakeUntilSeconds <= atMs / 1000) return payIfWoken(state, rest, atMs / 1000)
      rest.awakeUntilSeconds = Math.max(rest.awakeUntilSeconds, atMs / 1000 + freeKeySleepsAfterSeconds)
    }
    return pay(owner, atMs)
  }
  /** It may have been used on another server: the database knows, and is asked once a minute. */
  const payIfWoken = async ({ hash, owner }: KeyState, rest: NonNullable<KeyState['rest']>, seconds: number): Promise<Spent> => {
    if (seconds - rest.askedAtSeconds < askAgainSeconds) return asleep
    const found = await index.findById(owner.id)
    rest.askedAtSeconds = seconds
    if (found?.hash !== hash || !found.rest || found.rest.awakeUntilSeconds <= seconds) return asleep
    rest.awakeUntilSeconds = seconds + freeKeySleepsAfterSeconds
    return pay(owner, nowMs())
  }
  return {
    spend: (key, client) => {
      if (key === undefined) return pay(ownerOf(client), nowMs())
      if (key.length !== apiKeyLength) return refuse('INVALID_API_KEY')
      const hash = hashApiKey(key)
      // A key that is known has the checksum of one.
      const known = index.findKnown(hash)
      if (known) return payByKey(known)
      if (!isApiKey(key)) return refuse('INVALID_API_KEY')
      const found = index.find(hash)
      return found instanceof Promise ? found.then(payByKey) : payByKey(found)
    },
    onEnded: (principal, listener) => {
      const stop = endings.listen(principal, listener)
      // It may have ended since its request was paid for.
      if (principal.hash !== undefined) void endings.check(principal.id)
      return stop
    },
  }
}

type Owner = Principal & QuotaOwner

const asleep: Spent = { ok: false, refusal: { code: 'KEY_INACTIVE', asleep: true } }

function refuse(code: Refusal['code']): Spent {
  return { ok: false, refusal: { code } }
}
