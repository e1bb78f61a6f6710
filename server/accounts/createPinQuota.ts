import { hourSeconds } from '@chainboard/core'
import { LRUCache } from 'lru-cache'

/** PINs that are looked at within an hour of the clock. Wrong ones are limited far below this; the right one costs a hash as well. */
export const pinQuotaLimits = {
  rightOfAccountMax: 60,
  ofClientMax: 600,
  /** Of an account that something speaks for, whatever others at the same client have used up. */
  rightOfAccountMin: 10,
}

const subjectsKeptMax = 100_000

/** Keeps whoever knows a PIN from having it looked at all day. A restart forgets it: it protects the processor, not PINs. */
export type PinQuota = {
  /** Seconds until a PIN may be looked at; 0 when now. `userId` is undefined when nobody has the name. */
  wait(asked: { caller: 'known' | 'stranger'; userId: string | undefined; client: string }, nowSeconds: number): number
  countLook(client: string, nowSeconds: number): void
  /** Right ones alone: strangers who are wrong use up nothing of an account's. */
  countRight(userId: string, nowSeconds: number): void
}

export function createPinQuota({ rightOfAccountMax, rightOfAccountMin, ofClientMax } = pinQuotaLimits): PinQuota {
  const looks = createHourlyCounts()
  const rights = createHourlyCounts()
  return {
    wait: ({ caller, userId, client }, nowSeconds) => {
      const ofAccount = userId === undefined ? 0 : rights.get(userId, nowSeconds)
      const isAssured = caller === 'known' && ofAccount < rightOfAccountMin
      const isSpent = ofAccount >= rightOfAccountMax || (looks.get(client, nowSeconds) >= ofClientMax && !isAssured)
      return isSpent ? hourSeconds - (nowSeconds % hourSeconds) : 0
    },
    countLook: looks.add,
    countRight: rights.add,
  }
}

function createHourlyCounts() {
  const counts = new LRUCache<string, { readonly hour: number; readonly count: number }>({ max: subjectsKeptMax })
  const get = (subject: string, nowSeconds: number): number => {
    const kept = counts.get(subject)
    return kept?.hour === Math.floor(nowSeconds / hourSeconds) ? kept.count : 0
  }
  return {
    get,
    add: (subject: string, nowSeconds: number): void => {
      counts.set(subject, { hour: Math.floor(nowSeconds / hourSeconds), count: get(subject, nowSeconds) + 1 })
    },
  }
}
