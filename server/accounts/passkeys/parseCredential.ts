import { Failure } from '@chainboard/core'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { fieldOf } from '../methods/fields.ts'

// What browsers answer for a passkey (WebAuthn level 3, `PublicKeyCredential.toJSON`): of its fields those that count, as texts.

/** A credential's id has 1,023 bytes at most. */
const idLengthMax = 1_364
const textLengthMax = 16_000
const transportsMax = 8

/** @throws Failure `request-invalid` for what is no answer of a browser to a sign-in */
export function parseAssertion(value: unknown): AuthenticationResponseJSON {
  const response = fieldOf(value, 'response')
  const userHandle = fieldOf(response, 'userHandle')
  return {
    ...parseId(value),
    response: {
      clientDataJSON: readText(response, 'clientDataJSON'),
      authenticatorData: readText(response, 'authenticatorData'),
      signature: readText(response, 'signature'),
      ...(userHandle === undefined || userHandle === null || userHandle === ''
        ? {}
        : { userHandle: readText(response, 'userHandle') }),
    },
  }
}

/** @throws Failure `request-invalid` for what is no answer of a browser that has made a passkey */
export function parseRegistration(value: unknown): RegistrationResponseJSON {
  const response = fieldOf(value, 'response')
  return {
    ...parseId(value),
    response: {
      clientDataJSON: readText(response, 'clientDataJSON'),
      attestationObject: readText(response, 'attestationObject'),
    },
  }
}

/** How a browser says that it reaches the passkey: `internal`, `usb`, `hybrid`. Others' words are left out. */
export function readTransports(value: unknown): string[] {
  const transports = fieldOf(fieldOf(value, 'response'), 'transports')
  if (!Array.isArray(transports)) return []
  return transports
    .filter((each): each is string => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each))
    .slice(0, transportsMax)
}

function parseId(value: unknown) {
  const id = readText(value, 'id', idLengthMax)
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
}

/** Base64url. What was found is not told: it may be a secret. */
function readText(value: unknown, name: string, lengthMax = textLengthMax): string {
  const text = fieldOf(value, name)
  if (typeof text === 'string' && text.length <= lengthMax && /^[A-Za-z0-9_-]+$/.test(text)) return text
  throw new Failure('request-invalid', `response: expected what the browser answered for the passkey, with ${name} in base64url`)
}
