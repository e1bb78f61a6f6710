import type { KeyGate, Principal, Refusal, Spent } from '../keys/keyGate.ts'

type Given = { readonly limit: number; readonly tier?: Principal['tier']; readonly refusal?: Refusal['code'] }

/** A gate in memory for tests of what stands behind it: keys are what the test says, days do not end. */
export function createFakeKeyGate(keys: Readonly<Record<string, Given>> = {}, sharedLimit = 10_000) {
  const spentBy = new Map<string, number>()
  const listeners = new Map<string, Set<(why: Refusal['code']) => void>>()
  const resetSeconds = 3_600
  /** Keys whose requests are answered later, as when no permit is at hand, and until when. */
  const late = new Map<string, () => Promise<void>>()
  let failure: Error | undefined

  const spendNow = (key: string | undefined, client: string): Spent => {
    if (failure) throw failure
    const given = key === undefined ? { limit: sharedLimit, tier: 'shared' as const, refusal: undefined } : keys[key]
    if (!given) return { ok: false, refusal: { code: 'INVALID_API_KEY' } }
    if (given.refusal) return { ok: false, refusal: { code: given.refusal } }
    const { limit, tier = 'free' } = given
    const id = key === undefined ? `ip:${client}` : `key:${key}`
    const spent = spentBy.get(id) ?? 0
    if (spent >= limit) return { ok: false, refusal: { code: 'RATE_LIMIT_EXCEEDED', limit, remaining: 0, resetSeconds } }
    spentBy.set(id, spent + 1)
    return {
      ok: true,
      principal: { id, tier, limit },
      allowance: { tier, limit, remaining: limit - spent - 1, resetSeconds },
    }
  }
  const gate: KeyGate = {
    spend: (key, client) =>
      late
        .get(key ?? '')?.()
        .then(() => spendNow(key, client)) ?? spendNow(key, client),
    onEnded: ({ id }, listener) => {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => void own.delete(listener)
    },
  }
  return {
    ...gate,
    /** Requests that a principal has spent. */
    spentBy: (id: string) => spentBy.get(id) ?? 0,
    /** @param until called for each request; absent: a turn later */
    answerLate: (key: string, until = () => Promise.resolve()) => void late.set(key, until),
    /** From now on every request fails so. */
    fail: (error: Error | undefined) => {
      failure = error
    },
    end: (id: string, why: Refusal['code']) => {
      for (const listener of [...(listeners.get(id) ?? [])]) listener(why)
    },
  }
}
