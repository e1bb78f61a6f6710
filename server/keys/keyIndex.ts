import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../store/apiKeys.ts'
import { toBusy } from './busy.ts'
import type { QuotaOwner } from './quotaAccount.ts'
import { awakeUntilSeconds } from './sleep.ts'

/** Keys whose state is kept at a time: some 15 MB. */
const knownMax = 50_000
/** Hashes that no key has, kept so that trying them again asks nothing of the database. */
const unknownMax = 10_000
/** Looks at the database at once. */
const lookupsMax = 1_000
const triesMax = 5

/** What a request has to know of a key. */
export type KeyState = {
  readonly hash: string
  readonly status: ApiKey['status']
  readonly expiresAtSeconds: number | undefined
  /** Of a free key. It changes with each use here. `askedAtSeconds`: when the database last said that it sleeps; 0: not yet. */
  readonly rest: { awakeUntilSeconds: number; askedAtSeconds: number } | undefined
  readonly owner: QuotaOwner & { readonly tier: ApiKey['tier']; readonly hash: string }
}

export type KeyIndex = {
  /** The key with this hash, at once when it was asked for before. @throws Failure `busy`, as a rejection; what the store throws */
  find(hash: string): KeyState | undefined | Promise<KeyState | undefined>
  /** The same, without a look at the database. */
  findKnown(hash: string): KeyState | undefined
  /** What the database says now. */
  findById(id: string): Promise<KeyState | undefined>
  /** Keys were made or changed: from here on the database is asked for them, and nobody is told the old state. */
  forget(hashes: readonly string[]): void
  /** Another server changed keys: everything is asked for again. */
  forgetAll(): void
}

/** Why a key may not be used; undefined when it may. A key that has expired stays so, paused or not. */
export function judgeKey(
  state: Pick<KeyState, 'status' | 'expiresAtSeconds'> | undefined,
  nowSeconds: number,
): 'INVALID_API_KEY' | 'KEY_EXPIRED' | 'KEY_INACTIVE' | undefined {
  if (!state) return 'INVALID_API_KEY'
  if (state.expiresAtSeconds !== undefined && state.expiresAtSeconds <= nowSeconds) return 'KEY_EXPIRED'
  return state.status === 'paused' ? 'KEY_INACTIVE' : undefined
}

export type KeyReader = (by: { id: string } | { hash: string }) => Promise<ApiKey | undefined>

/** Keys by hash, in memory, in front of the database. */
export function createKeyIndex(read: KeyReader): KeyIndex {
  const known = new LRUCache<string, KeyState>(lruLimit(knownMax))
  const unknown = new LRUCache<string, true>(lruLimit(unknownMax))
  const lookups = new Map<string, Promise<KeyState | undefined>>()
  /** Grows with every change, so that an answer from before it is not kept. */
  let changes = 0

  const keep = (hash: string, key: ApiKey | undefined) => {
    const state = key && toState(key)
    if (state) known.set(hash, state)
    else unknown.set(hash, true)
    return state
  }
  const lookUp = async (hash: string): Promise<KeyState | undefined> => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const before = changes
      const key = await read({ hash })
      if (before === changes) return keep(hash, key)
    }
    throw toBusy('Keys are being changed. Try again')
  }
  return {
    find: (hash) => {
      const state = known.get(hash)
      if (state || unknown.has(hash)) return state
      const under = lookups.get(hash)
      if (under) return under
      if (lookups.size >= lookupsMax) return Promise.reject(toBusy('Too many requests at once. Try again'))
      const lookup = lookUp(hash).finally(() => lookups.delete(hash))
      lookups.set(hash, lookup)
      return lookup
    },
    findKnown: (hash) => known.get(hash),
    findById: async (id) => {
      const key = await read({ id })
      return key && toState(key)
    },
    forget: (hashes) => {
      changes += 1
      for (const hash of hashes) {
        known.delete(hash)
        unknown.delete(hash)
      }
    },
    forgetAll: () => {
      changes += 1
      known.clear()
      unknown.clear()
    },
  }
}

function toState(key: ApiKey): KeyState {
  const { id, hash, tier, status, requestsPerDay, expiresAtSeconds } = key
  const untilSeconds = awakeUntilSeconds(key)
  const rest = untilSeconds === undefined ? undefined : { awakeUntilSeconds: untilSeconds, askedAtSeconds: 0 }
  return { hash, status, expiresAtSeconds, rest, owner: { id, tier, kind: 'key', limit: requestsPerDay, hash } }
}
