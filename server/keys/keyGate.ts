import type { KeyTier } from '../store/apiKeys.ts'

/** Who asks the price API: a key, or an address without one. `id` is safe to log and to keep. */
export type Principal = {
  readonly id: string
  readonly tier: 'shared' | KeyTier
  readonly limit: number
  /** SHA-256 of the key that was used: another one of the same `id` is its successor. Undefined without a key. */
  readonly hash?: string
}

/** What the answer says of the caller's day; `remaining` is after this request. */
export type Allowance = {
  readonly tier: Principal['tier']
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type Refusal = {
  readonly code: 'INVALID_API_KEY' | 'KEY_EXPIRED' | 'KEY_INACTIVE' | 'RATE_LIMIT_EXCEEDED'
  readonly limit?: number
  readonly remaining?: number
  readonly resetSeconds?: number
  /** Of a key that is inactive because nobody has used it for long: its wallet may wake it. */
  readonly asleep?: boolean
}

export type Spent =
  | { readonly ok: true; readonly principal: Principal; readonly allowance: Allowance }
  | { readonly ok: false; readonly refusal: Refusal }

export type KeyGate = {
  /**
   * Spends one request. Answers at once when a permit is at hand (the usual case), else when one has been taken and persisted.
   * @param key the X-API-Key header; undefined: the shared limit of `client`
   * @param client the visitor's address as `clientOf` gives it (IPv6 by /64)
   * @throws Failure `busy`, as a rejection, when the store does not answer: nobody is served whose request is not counted
   */
  spend(key: string | undefined, client: string): Spent | Promise<Spent>
  /**
   * Tells when a principal may no longer be served (paused, deleted, rotated, expired): its open streams end at once. One that
   * may not be served already, because its key was rotated while it came in for example, is told in the next moment. A listener
   * is told once.
   * @returns unsubscribe
   */
  onEnded(principal: Pick<Principal, 'id' | 'hash'>, listener: (why: Refusal['code']) => void): () => void
}
