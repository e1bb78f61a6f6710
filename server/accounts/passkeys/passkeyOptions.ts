import { Failure } from '@chainboard/core'
import { listPasskeys } from '../../store/passkeys.ts'
import type { User } from '../../store/users.ts'
import type { Party } from '../methods/caller.ts'
import { type ChallengeUse, challengeSeconds, makeChallenge } from '../methods/challenge.ts'
import type { MethodParts } from '../methods/methodParts.ts'
import { algorithms } from './algorithms.ts'

// What a browser is asked with (WebAuthn level 3): `navigator.credentials.get` and `create` take it as JSON.

/** The name of a site that passkeys belong to. @throws Failure `request-invalid` where it has none */
export function getRpId({ rpId, host }: Party): string {
  if (rpId !== undefined) return rpId
  throw new Failure('request-invalid', `Passkeys need a domain name, found ${host}: open this site by its name, or by localhost`)
}

type Asked = { readonly type: 'public-key'; readonly id: string; readonly transports: string[] }

/** For `navigator.credentials.get`. Without credentials, the authenticator offers those that it has for the site. */
export type RequestOptions = {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'required'
  readonly allowCredentials: Asked[]
}

/** For `navigator.credentials.create`. */
export type CreationOptions = {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: { readonly type: 'public-key'; readonly alg: number }[]
  readonly timeout: number
  readonly attestation: 'none'
  readonly excludeCredentials: Asked[]
  readonly authenticatorSelection: {
    readonly residentKey: 'required'
    readonly requireResidentKey: true
    readonly userVerification: 'required'
  }
}

const timeoutMs = challengeSeconds * 1_000
const toBase64url = (text: string) => Buffer.from(text).toString('base64url')

/** @param user whose passkeys may answer; any may when absent */
export async function makeRequestOptions(parts: MethodParts, use: ChallengeUse, user?: User): Promise<RequestOptions> {
  return {
    rpId: getRpId(use.party),
    challenge: toBase64url(makeChallenge(parts, use)),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: user ? await listAsked(parts, user) : [],
  }
}

/** The passkey finds its account without a name, and an authenticator that has one of the user's makes no second. */
export async function makeCreationOptions(parts: MethodParts, use: ChallengeUse, user: User): Promise<CreationOptions> {
  return {
    rp: { id: getRpId(use.party), name: parts.siteName },
    user: { id: toBase64url(user.id), name: user.username, displayName: user.username },
    challenge: toBase64url(makeChallenge(parts, use)),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: timeoutMs,
    attestation: 'none',
    excludeCredentials: await listAsked(parts, user),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

async function listAsked({ store }: MethodParts, { id }: User): Promise<Asked[]> {
  const passkeys = await listPasskeys(store.read, id)
  return passkeys.map(({ credentialId, transports }) => ({ type: 'public-key', id: credentialId, transports: [...transports] }))
}
