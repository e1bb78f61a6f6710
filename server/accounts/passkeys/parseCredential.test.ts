import { describe, expect, it } from 'vitest'
import { parseAssertion, parseRegistration, readTransports } from './parseCredential.ts'

const assertion = {
  id: 'AbC-_9',
  rawId: 'something else',
  type: 'password',
  clientExtensionResults: { appid: true },
  authenticatorAttachment: 'platform',
  response: { clientDataJSON: 'eyJ0', authenticatorData: 'SZYN', signature: 'MEUC', userHandle: 'dTE' },
}

const registration = { id: 'AbC-_9', response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm', transports: ['usb'] } }

/** The same with another value at one place. */
function change(value: { readonly response: object }, name: string, to: unknown): object {
  return name === 'id' ? { ...value, id: to } : { ...value, response: { ...value.response, [name]: to } }
}

const refusal = (name: string) => `response: expected what the browser answered for the passkey, with ${name} in base64url`

describe('the answer of a browser to a sign-in', () => {
  it('is taken by the fields that count, and no others', () => {
    expect(parseAssertion(assertion)).toEqual({
      id: 'AbC-_9',
      // The id counts, whatever else the browser calls it.
      rawId: 'AbC-_9',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'eyJ0', authenticatorData: 'SZYN', signature: 'MEUC', userHandle: 'dTE' },
    })
  })

  it.each([null, undefined, ''])('may name no user: %j', (userHandle) => {
    expect(parseAssertion(change(assertion, 'userHandle', userHandle)).response).toEqual({
      clientDataJSON: 'eyJ0',
      authenticatorData: 'SZYN',
      signature: 'MEUC',
    })
  })

  it.each<readonly [string, unknown]>([
    ...['id', 'clientDataJSON', 'authenticatorData', 'signature'].map((name) => [name, undefined] as const),
    ['id', 'A'.repeat(1_365)],
    ['id', ''],
    ['signature', 'A'.repeat(16_001)],
    ['signature', 'not base64url='],
    ['signature', 'a+/b'],
    ['signature', 'line\nbreak'],
    ['clientDataJSON', ['eyJ0']],
    ['authenticatorData', { toString: () => 'SZYN' }],
    ['userHandle', 7],
  ])('is refused with %s as %o, and what was found is not repeated', (name, value) => {
    expect(() => parseAssertion(change(assertion, name, value))).toThrow(
      expect.objectContaining({ code: 'request-invalid', message: refusal(name) }),
    )
  })

  it.each([null, undefined, 'text', 7, [], [assertion], {}, { id: 'AbC' }])('is refused where it is %j', (value) => {
    expect(() => parseAssertion(value)).toThrow(expect.objectContaining({ code: 'request-invalid' }))
  })

  it('has an id of 1,023 bytes at most', () => {
    expect(parseAssertion(change(assertion, 'id', 'A'.repeat(1_364))).id).toHaveLength(1_364)
  })

  it('is what it has itself, not what its prototype has', () => {
    const inherited: unknown = Object.create({ id: 'AbC' }, { response: { value: assertion.response, enumerable: true } })
    expect(() => parseAssertion(inherited)).toThrow(refusal('id'))
  })
})

describe('the answer of a browser that has made a passkey', () => {
  it('is taken by the fields that count', () => {
    expect(parseRegistration(registration)).toEqual({
      id: 'AbC-_9',
      rawId: 'AbC-_9',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm' },
    })
  })

  it.each(['id', 'clientDataJSON', 'attestationObject'])('is refused without %s', (name) => {
    expect(() => parseRegistration(change(registration, name, undefined))).toThrow(refusal(name))
  })

  it('says how the passkey is reached, in eight words at most that a browser may use', () => {
    expect(readTransports(registration)).toEqual(['usb'])
    const words = ['internal', 7, 'HYBRID', 'x'.repeat(21), 'smart-card', '', 'a b', null]
    expect(readTransports(change(registration, 'transports', words))).toEqual(['internal', 'smart-card'])
    expect(readTransports(change(registration, 'transports', Array(9).fill('nfc')))).toHaveLength(8)
    for (const none of ['usb', { 0: 'usb', length: 1 }, null, undefined])
      expect(readTransports(change(registration, 'transports', none))).toEqual([])
    expect(readTransports(undefined)).toEqual([])
  })
})
