import type { AccountParts } from '../accounts/accountParts.ts'
import { type Accounts, createAccounts } from '../accounts/createAccounts.ts'
import { createHashQueue, hashQueueLimits } from '../accounts/createHashQueue.ts'
import { createPinQuota } from '../accounts/createPinQuota.ts'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import type { PinHasher } from '../accounts/pinHash.ts'
import type { Visitor } from '../accounts/visitor.ts'
import type { Store } from '../store/store.ts'

export type TestAccounts = Accounts & {
  readonly parts: AccountParts
  /** Seconds; told by the test. */
  readonly clock: { seconds: number }
  /** PINs that were looked at so far. */
  looks(): number
}

/** Accounts over a real store, with a clock that the test tells and a hash that costs nothing. */
export function createTestAccounts(store: Store, startSeconds = 1_700_000_000): TestAccounts {
  const clock = { seconds: startSeconds }
  let looks = 0
  const hasher: PinHasher = {
    hash: async (pin) => `cheap:${pin}`,
    verify: async (pinHash, pin) => {
      looks += 1
      return pinHash === `cheap:${pin}`
    },
  }
  const parts: AccountParts = {
    store,
    hasher,
    keyedHash: createKeyedHash('the pepper of these tests'),
    queue: createHashQueue(hashQueueLimits, () => clock.seconds),
    quota: createPinQuota(),
    nobodysHash: 'cheap:nobody',
    nowSeconds: () => clock.seconds,
  }
  return { ...createAccounts(parts), parts, clock, looks: () => looks }
}

/** Somebody at an address, without any cookie. */
export function at(client: string, tokens: Partial<Visitor> = {}): Visitor {
  return { client, sessionToken: undefined, browserTokens: [], ...tokens }
}
