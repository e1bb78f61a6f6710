import type { Store } from '../store/store.ts'
import type { HashQueue } from './createHashQueue.ts'
import type { PinQuota } from './createPinQuota.ts'
import type { KeyedHash } from './keyedHash.ts'
import type { PinHasher } from './pinHash.ts'

/** What the functions of accounts work with. */
export type AccountParts = {
  readonly store: Store
  readonly hasher: PinHasher
  readonly queue: HashQueue
  readonly quota: PinQuota
  readonly keyedHash: KeyedHash
  /** A PIN's hash that stands in for unknown users, so that they cost the same time. */
  readonly nobodysHash: string
  readonly nowSeconds: () => number
}
