import { keyedCodePrefix, keyRecoveryCodes } from '../store/recoveryCodes.ts'
import type { AccountParts } from './accountParts.ts'
import { hashSignInCode } from './secretTokens.ts'

/** As a recovery code is stored: 60 bits can be tried against a plain hash by many graphics cards, so this one needs the pepper, too. */
export function hashRecoveryCode({ keyedHash }: Pick<AccountParts, 'keyedHash'>, code: string): string {
  return toKeyed(keyedHash, hashSignInCode(code))
}

/** Codes whose hashes one transaction replaces, and transactions of one sweep. */
const codesMax = 500
const roundsMax = 100

/** Replaces the plain hashes that earlier versions stored. */
export async function keyOldRecoveryCodes({ store, keyedHash }: Pick<AccountParts, 'store' | 'keyedHash'>): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const replaced = await store.write((tx) => keyRecoveryCodes(tx, (plain) => toKeyed(keyedHash, plain), codesMax))
    if (replaced < codesMax) return
  }
}

function toKeyed(keyedHash: AccountParts['keyedHash'], plainHash: string): string {
  return `${keyedCodePrefix}${keyedHash('recovery', plainHash)}`
}
