import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Failure } from '@chainboard/core'
import { spendMessage } from '../../store/spentMessages.ts'
import type { Tx } from '../../store/store.ts'
import type { KeyedHash } from '../keyedHash.ts'
import { hashToken } from '../secretTokens.ts'
import type { Party } from './caller.ts'

/** What a signed challenge is for. `confirm-…`: the owner agrees to a change of the account. */
export type ChallengePurpose = 'sign-in' | 'link' | 'confirm-link' | 'confirm-removal' | 'confirm-pin'

/** What a challenge is good for, and nothing else. */
export type ChallengeUse = {
  readonly kind: 'passkey' | 'wallet'
  readonly purpose: ChallengePurpose
  /** Whose account is changed; undefined for a sign-in, which does not know it yet. */
  readonly userId: string | undefined
  readonly party: Party
  /** Of the browser that it is given to. */
  readonly challengeToken: string | undefined
}

/** A challenge of ours that may be answered now, once. */
export type Challenge = { readonly digest: string; readonly issuedAtSeconds: number; readonly expiresAtSeconds: number }

type Parts = { readonly keyedHash: KeyedHash; readonly nowSeconds: () => number }

/** Long enough to find a phone or a security key. */
export const challengeSeconds = 300
/** Servers of one site may differ by this much. */
const skewSeconds = 30
const randomLength = 16
const sealLength = 32
const shape = /^([0-9a-f]{8})([0-9a-f]{32})([0-9a-f]{32})$/

/**
 * A new challenge: 72 hexadecimal digits, its moment, 16 random bytes and a seal over both and the use. Nothing is stored until one is
 * answered rightly, so that asking for any number of them fills nothing.
 */
export function makeChallenge({ keyedHash, nowSeconds }: Parts, use: ChallengeUse): string {
  const issued = Math.floor(nowSeconds()).toString(16).padStart(8, '0')
  const body = issued + randomBytes(randomLength).toString('hex')
  return body + seal(keyedHash, body, use)
}

/** @throws Failure `signature-invalid` for one that is too old, or was not given out for this use */
export function judgeChallenge({ keyedHash, nowSeconds }: Parts, text: string, use: ChallengeUse): Challenge {
  const [, issued = '', random = '', sealed = ''] = shape.exec(text) ?? []
  const foreign = new Failure('signature-invalid', 'This was not signed for this site, browser and purpose: start again')
  if (sealed === '' || use.challengeToken === undefined) throw foreign
  const own = seal(keyedHash, issued + random, use)
  if (!timingSafeEqual(Buffer.from(own), Buffer.from(sealed))) throw foreign
  const issuedAtSeconds = Number.parseInt(issued, 16)
  const expiresAtSeconds = issuedAtSeconds + challengeSeconds
  const now = nowSeconds()
  if (expiresAtSeconds <= now || issuedAtSeconds > now + skewSeconds)
    throw new Failure('signature-invalid', 'This took too long: start again')
  return { digest: hashToken(text), issuedAtSeconds, expiresAtSeconds }
}

/** It is good for nothing from now on. @throws Failure `conflict` when it was already */
export async function spendChallenge(tx: Tx, { digest, expiresAtSeconds }: Challenge): Promise<void> {
  if (!(await spendMessage(tx, digest, expiresAtSeconds + skewSeconds)))
    throw new Failure('conflict', 'This has already been used: start again')
}

function seal(keyedHash: KeyedHash, body: string, { kind, purpose, userId, party, challengeToken = '' }: ChallengeUse): string {
  const bound = JSON.stringify([body, kind, purpose, userId ?? null, party.origin, hashToken(challengeToken)])
  return keyedHash('challenge', bound).slice(0, sealLength)
}
