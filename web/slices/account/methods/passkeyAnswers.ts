import type { WirePasskeyCreation, WirePasskeyRequest } from '@chainboard/contract'
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { holdReload } from '../../../lib/busy.ts'
import { RequestError } from '../../../lib/fetchJson.ts'

// Imported when a passkey is asked for the first time: the library is no part of a page's load.

/** Has the visitor choose a passkey and answer with it. @throws RequestError with words for the visitor */
export function answerByPasskey({ options }: WirePasskeyRequest): Promise<unknown> {
  return explained(() => startAuthentication({ optionsJSON: options }), 'The passkey did not answer')
}

/** Has the visitor make a passkey for this site. @throws RequestError with words for the visitor */
export function makePasskey({ options }: WirePasskeyCreation): Promise<unknown> {
  return explained(() => startRegistration({ optionsJSON: options }), 'The passkey was not created')
}

async function explained<T>(ask: () => Promise<T>, failed: string): Promise<T> {
  const letGo = holdReload()
  try {
    return await ask()
  } catch (cause) {
    throw new RequestError('the passkey did not answer', { cause, serverText: describe(cause) ?? failed })
  } finally {
    letGo()
  }
}

function describe(error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : ''
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device already has a passkey for your account'
  if (name === 'NotAllowedError' || name === 'AbortError') return 'Cancelled, or there is no passkey here'
  if (name === 'SecurityError') return 'Passkeys do not work at this address. Open the site at its main address'
  return undefined
}
