import { Failure } from '@chainboard/core'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Passkey, usePasskey } from '../../store/passkeys.ts'
import type { Tx } from '../../store/store.ts'
import { type Challenge, type ChallengeUse, judgeChallenge, spendChallenge } from '../methods/challenge.ts'
import type { MethodParts } from '../methods/methodParts.ts'
import { algorithms } from './algorithms.ts'
import { getRpId } from './passkeyOptions.ts'

/** Loaded with the first passkey: most of it is for attestations, and few servers see one right after their start. */
const loadLibrary = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')

/** A passkey that has answered a challenge rightly. */
export type Asserted = { readonly passkey: Passkey; readonly challenge: Challenge; readonly signCount: number }

/** @returns one text for all that can be wrong with a passkey: which of them are known here is told to nobody */
function refused(cause?: unknown): Failure {
  return new Failure('signature-invalid', 'This passkey is not linked here. Use another one, or your PIN', { cause })
}

/**
 * Whether the authenticator of `passkey` has answered, after it verified its user.
 * @param passkey undefined for one that is nobody's
 * @throws Failure `signature-invalid`
 */
export async function verifyAssertion(
  parts: MethodParts,
  { assertion, passkey, use }: { assertion: AuthenticationResponseJSON; passkey: Passkey | undefined; use: ChallengeUse },
): Promise<Asserted> {
  if (!passkey) throw refused()
  const { userHandle } = assertion.response
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) throw refused()
  const { verifyAuthenticationResponse } = await loadLibrary()
  const answered = expectChallenge(parts, use)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge: answered.judge,
    expectedOrigin: use.party.origin,
    expectedRPID: getRpId(use.party),
    // Its count is compared where it is written: nobody else can have changed it there meanwhile.
    credential: { id: passkey.credentialId, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: 0 },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw cause instanceof Failure ? cause : refused(cause)
  })
  if (!verified) throw refused()
  return { passkey, challenge: answered.get(), signCount: authenticationInfo.newCounter }
}

/** Uses up what a passkey has answered. @throws Failure `conflict` for a second time; `signature-invalid` for a copy, and one that is gone */
export async function settleAssertion(tx: Tx, { passkey, challenge, signCount }: Asserted, nowSeconds: number): Promise<void> {
  await spendChallenge(tx, challenge)
  if (await usePasskey(tx, passkey.id, { signCount, seconds: nowSeconds })) return
  throw new Failure(
    'signature-invalid',
    'The counter of this passkey went back, so there may be a copy of it. Sign in another way and remove it',
  )
}

/** What a new passkey is, as its authenticator says it. */
export type Registered = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount'> & { readonly challenge: Challenge }

/** @throws Failure `signature-invalid` */
export async function verifyRegistration(
  parts: MethodParts,
  { registration, use }: { registration: RegistrationResponseJSON; use: ChallengeUse },
): Promise<Registered> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const answered = expectChallenge(parts, use)
  const response = await dropAttestation(registration)
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: answered.judge,
    expectedOrigin: use.party.origin,
    expectedRPID: getRpId(use.party),
    requireUserVerification: true,
    supportedAlgorithmIDs: [...algorithms],
  }).catch((cause: unknown) => {
    throw cause instanceof Failure ? cause : notMade(cause)
  })
  if (!registrationInfo) throw notMade()
  const { id, publicKey, counter } = registrationInfo.credential
  const text = Buffer.from(publicKey).toString('base64url')
  return { credentialId: id, publicKey: text, signCount: counter, challenge: answered.get() }
}

/**
 * No attestation is asked for, and one that comes anyway is not read: the library would call the addresses that certificates name, also in
 * certificates that whoever registers has made up.
 * @throws Failure `signature-invalid`
 */
async function dropAttestation({ response, ...credential }: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadHelpers()
  const readAuthData = () => {
    try {
      return decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('authData')
    } catch (cause) {
      throw notMade(cause)
    }
  }
  const authData: unknown = readAuthData()
  if (!(authData instanceof Uint8Array)) throw notMade()
  const parts = new Map<string, string | Map<string, never> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  return { ...credential, response: { ...response, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(parts)) } }
}

function notMade(cause?: unknown): Failure {
  return new Failure('signature-invalid', 'The passkey could not be checked: start again', { cause })
}

/** For the library, which reads the challenge from what was signed: judges it, and keeps what it was. */
function expectChallenge(parts: MethodParts, use: ChallengeUse) {
  let challenge: Challenge | undefined
  return {
    judge: (given: string): boolean => {
      challenge = judgeChallenge(parts, Buffer.from(given, 'base64url').toString(), use)
      return true
    },
    get: (): Challenge => {
      if (!challenge) throw refused()
      return challenge
    },
  }
}
