import type { WireApiKey } from '@chainboard/contract'

/** Hashes of payments that more than one key names. */
export function findShared(keys: readonly WireApiKey[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { txHash } of keys) {
    if (txHash === null) continue
    if (seen.has(txHash)) shared.add(txHash)
    seen.add(txHash)
  }
  return shared
}

/** The orders of the list, the usual one first. */
export const keySorts = ['newest', 'usage', 'lastUsed', 'expires', 'email'] as const
export type KeySort = (typeof keySorts)[number]

/** Keys on one page of the list. */
export const keysPerPage = 10

const lastCharacters = 4
const wholeKey = /^cb_[0-9a-z]{20,}$/

/** Whether a key is meant by what was typed: a part of its e-mail, wallet, mask, record id or payment's hash, or the whole key. */
export function isFound({ email, id, fullId, wallet, txHash }: WireApiKey, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return true
  // All that is known of a key is how it ends.
  const part = wholeKey.test(wanted) ? wanted.slice(-lastCharacters) : wanted
  if (part !== wanted) return id.toLowerCase().endsWith(part)
  return [email, id, fullId, wallet ?? '', txHash ?? ''].some((text) => text.toLowerCase().includes(part))
}

const orders: Readonly<Record<KeySort, (a: WireApiKey, b: WireApiKey) => number>> = {
  newest: (a, b) => compare(b.createdAt, a.createdAt),
  usage: (a, b) => b.usageToday - a.usageToday,
  lastUsed: (a, b) => compare(b.lastUsed ?? '', a.lastUsed ?? ''),
  expires: (a, b) => compare(a.expiresAt ?? '~', b.expiresAt ?? '~'),
  email: (a, b) => compare(nameOf(a), nameOf(b)),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function nameOf({ email, wallet }: WireApiKey): string {
  return (email || `~${wallet ?? ''}`).toLowerCase()
}

/** The keys that are meant, in order. */
export function listFound(keys: readonly WireApiKey[], search: string, sort: KeySort): readonly WireApiKey[] {
  return keys.filter((key) => isFound(key, search)).toSorted(orders[sort])
}
