import { randomUUID } from 'node:crypto'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import { createKeyService, type KeyService } from '../keys/createKeyService.ts'
import { hashApiKey, lastCharacters, makeApiKey } from '../keys/keyFormat.ts'
import { type ApiKey, insertApiKey } from '../store/apiKeys.ts'
import type { Store } from '../store/store.ts'

export type TestKeys = KeyService & {
  /** Milliseconds; told by the test. */
  readonly clock: { ms: number }
  /** Puts a key into the store. @returns its text and its record */
  add(changes?: Partial<ApiKey>): Promise<{ key: string; record: ApiKey }>
}

/** Keys over a real store, with a clock that the test tells. */
export function createTestKeys(store: Store, startMs = Date.UTC(2026, 10, 21, 12)): TestKeys {
  const clock = { ms: startMs }
  const keyedHash = createKeyedHash('the pepper of these tests')
  const service = createKeyService({ store, hashClient: (client) => keyedHash('quota', client), nowMs: () => clock.ms })
  return { ...service, clock, add: (changes) => addKey(store, { createdAtSeconds: clock.ms / 1000, ...changes }) }
}

/** A key of tier basic that never expires, unless told otherwise. */
export async function addKey(store: Store, changes: Partial<ApiKey>): Promise<{ key: string; record: ApiKey }> {
  const key = makeApiKey()
  const record: ApiKey = {
    id: randomUUID(),
    hash: hashApiKey(key),
    last4: lastCharacters(key),
    tier: 'basic',
    status: 'active',
    email: 'dev@example.org',
    note: '',
    requestsPerDay: 1_000,
    createdAtSeconds: 0,
    expiresAtSeconds: undefined,
    lastUsedAtSeconds: undefined,
    txHash: undefined,
    payment: undefined,
    wallet: undefined,
    ...changes,
  }
  await store.write((tx) => insertApiKey(tx, record))
  return { key, record }
}
