import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { addOne, type LeakyBucket, roomInSeconds } from './leakyBucket.ts'

/**
 * PINs that are looked at. Wrong ones are limited far below this; the right one costs a hash as well. A page that adds and
 * removes wallets asks for it each time, and a user has 50 of them.
 */
export const pinQuotaLimits = {
  rightOfAccount: { burst: 60, forgetSeconds: 60 },
  ofClient: { burst: 60, forgetSeconds: 6 },
  /** Of an account that something speaks for, whatever others at the same client have used up. */
  assuredOfAccount: { burst: 10, forgetSeconds: 360 },
} as const satisfies Record<string, LeakyBucket>

const subjectsKeptMax = 100_000

/** Limits how often correct PINs are checked. A restart forgets the counts: they protect the processor, not PINs. */
export type PinQuota = {
  /** Seconds until a PIN may be looked at; 0 when now. `userId` is undefined when nobody has the name. */
  wait(asked: { caller: 'recognized' | 'unrecognized'; userId: string | undefined; client: string }, nowSeconds: number): number
  countLook(client: string, nowSeconds: number): void
  /** Right ones alone: strangers who are wrong use up nothing of an account's. */
  countRight(userId: string, nowSeconds: number): void
}

/** A quota of which nothing is used, in memory alone. */
export function createPinQuota({ rightOfAccount, assuredOfAccount, ofClient } = pinQuotaLimits): PinQuota {
  const looks = createBuckets(ofClient)
  const rights = createBuckets(rightOfAccount)
  const assured = createBuckets(assuredOfAccount)
  return {
    wait: ({ caller, userId, client }, nowSeconds) => {
      const ofAccount = userId === undefined ? 0 : rights.wait(userId, nowSeconds)
      const ofClient = looks.wait(client, nowSeconds)
      const isAssured = caller === 'recognized' && userId !== undefined && assured.wait(userId, nowSeconds) === 0
      return Math.max(ofAccount, isAssured ? 0 : ofClient)
    },
    countLook: looks.add,
    countRight: (userId, nowSeconds) => {
      rights.add(userId, nowSeconds)
      assured.add(userId, nowSeconds)
    },
  }
}

/** One for each subject. */
function createBuckets(bucket: LeakyBucket) {
  const emptyAtSeconds = new LRUCache<string, number>(lruLimit(subjectsKeptMax))
  return {
    wait: (subject: string, nowSeconds: number): number =>
      Math.max(0, roomInSeconds(bucket, emptyAtSeconds.get(subject) ?? 0, nowSeconds)),
    add: (subject: string, nowSeconds: number): void => {
      const later = addOne(bucket, emptyAtSeconds.get(subject) ?? 0, nowSeconds)
      // Looks that another bucket let in make no full one fuller.
      emptyAtSeconds.set(subject, Math.min(later, nowSeconds + bucket.burst * bucket.forgetSeconds))
    },
  }
}
