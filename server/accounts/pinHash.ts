import { hash, verify } from '@node-rs/argon2'
import type { KeyedHash } from './keyedHash.ts'

/** argon2id (the library's number 2), 19 MiB, two passes: some 20 ms of one core. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes PINs for the database. Slow on purpose: callers queue. */
export type PinHasher = {
  hash(pin: string): Promise<string>
  verify(pinHash: string, pin: string): Promise<boolean>
}

/**
 * argon2id over the PIN's keyed hash. There are 10,000 PINs only, which no slow hash protects: what does is the pepper, without
 * which a stolen database cannot be tried at all.
 */
export function createPinHasher(keyedHash: KeyedHash): PinHasher {
  return {
    hash: (pin) => hash(keyedHash('pin', pin), cost),
    verify: (pinHash, pin) => verify(pinHash, keyedHash('pin', pin)),
  }
}
