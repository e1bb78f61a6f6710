import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../store/apiKeys.ts'
import { type KeyEdit, type KeyForm, parseKeyEdit, parseKeyForm } from './parseKeyForm.ts'

// 2026-11-26 12:00 UTC.
const now = 1_795_694_400
const at = (moment: string) => Date.parse(moment) / 1000

/** What a form makes, or why it does not. */
function make(form: KeyForm): unknown {
  try {
    return parseKeyForm({ email: 'dev@example.org', ...form }, now)
  } catch (error) {
    return String(error)
  }
}

const key = {
  ...{ id: 'k1', email: 'dev@example.org', tier: 'basic', status: 'active', requestsPerDay: 10_000, note: 'old' },
  expiresAtSeconds: at('2026-12-24T18:30:00Z'),
} as ApiKey

function edit(form: KeyEdit, changes: Partial<ApiKey> = {}): unknown {
  try {
    return parseKeyEdit({ ...key, ...changes }, form, now)
  } catch (error) {
    return error instanceof Error ? `${(error as { code?: string }).code}: ${error.message}` : error
  }
}

describe('a form for a new key', () => {
  it('needs an e-mail address only: the rest is usual', () => {
    expect(make({ email: '  dev@example.org ' })).toEqual({
      email: 'dev@example.org',
      tier: 'basic',
      expiresAtSeconds: at('2026-12-26T12:00:00Z'),
      requestsPerDay: 10_000,
      note: '',
      txHash: undefined,
    })
  })

  it('takes empty fields for fields that were left alone', () => {
    const empty = { tier: '', expiresAt: '', requestsPerDay: '', note: '', txHash: '' }
    const none = { tier: null, expiresAt: null, requestsPerDay: null, note: null, txHash: null }
    expect([make(empty), make(none)]).toEqual([make({}), make({})])
  })

  it('ends a custom key on its day, and a forever key never, whatever day is given', () => {
    expect(make({ tier: 'custom' })).toMatchObject({ expiresAtSeconds: undefined })
    expect(make({ tier: 'custom', expiresAt: '2027-01-31' })).toMatchObject({ expiresAtSeconds: at('2027-01-31T00:00:00Z') })
    expect(make({ tier: 'custom', expiresAt: '2027-01-31T12:00+02:00' })).toMatchObject({
      expiresAtSeconds: at('2027-01-31T10:00:00Z'),
    })
    expect(make({ tier: 'forever', expiresAt: '2027-01-31' })).toMatchObject({ expiresAtSeconds: undefined })
  })

  it.each(['2026-11-26', '2026-11-26T12:00:00Z', '1970-01-01'])('refuses %s, which is not in the future', (expiresAt) => {
    expect(make({ expiresAt })).toBe('Failure: expiresAt: expected a date in the future')
  })

  it.each(['2027-02-30', '2027-13-01', '31.01.2027', '2027-1-31', 'tomorrow', '2027-01-31T25:00:00Z', '2027-01-31T12:00', 7, {}])(
    'refuses %j, which is no date',
    (expiresAt) => {
      expect(make({ expiresAt })).toBe('Failure: expiresAt: expected a date like 2027-01-31 or 2027-01-31T12:00:00Z')
    },
  )

  it.each([0, -1, 1.5, 10_000_001, '5', Number.NaN, true])('refuses %j requests a day', (requestsPerDay) => {
    expect(make({ requestsPerDay })).toBe('Failure: requestsPerDay: expected a whole number from 1 to 10,000,000')
  })

  it.each([
    'dev',
    'dev@',
    '@example.org',
    'dev@example',
    'a b@example.org',
    'dev@exa mple.org',
    `${'a'.repeat(250)}@b.io`,
    'a\u0000@b.io',
  ])('refuses the address %j', (email) => {
    expect(make({ email })).toBe('Failure: email: expected an address like name@example.org')
  })

  it.each(['', '   ', undefined, 7])('says that an address is missing: %j', (email) => {
    expect(make({ email })).toBe('Failure: Email is required')
  })

  it('gives no free keys: a wallet signs for those', () => {
    expect(make({ tier: 'free' })).toBe('Failure: tier: expected one of basic, custom, forever')
    expect(make({ tier: ['basic'] })).toBe('Failure: tier: expected one of basic, custom, forever')
  })

  it('takes notes of several lines, and no character that nobody can read', () => {
    expect(make({ note: 'paid\tby wire\r\nuntil May' })).toMatchObject({ note: 'paid\tby wire\r\nuntil May' })
    expect(make({ note: 'x'.repeat(501) })).toBe('Failure: note: found 501 characters, expected 500 at most')
    expect(make({ note: 'a\u0000b' })).toBe('Failure: note: found the control character U+0000, expected text and line breaks')
    expect(make({ note: 'a\u009bb' })).toBe('Failure: note: found the control character U+009B, expected text and line breaks')
    expect(make({ note: 7 })).toBe('Failure: note: expected a text')
  })

  it('takes a transaction in any spelling, and nothing else', () => {
    expect(make({ txHash: `0x${'AB'.repeat(32)}` })).toMatchObject({ txHash: `0x${'ab'.repeat(32)}` })
    for (const txHash of [`0x${'ab'.repeat(31)}`, 'ab'.repeat(32), `0x${'ab'.repeat(33)}`, 7])
      expect(make({ txHash })).toBe('Failure: txHash: expected a transaction, 0x and 64 hexadecimal digits')
  })
})

describe('a form that changes a key', () => {
  it('has only what is another than before', () => {
    expect(edit({ status: 'paused', requestsPerDay: 10_000, note: 'old' })).toEqual({ status: 'paused' })
    expect(edit({ requestsPerDay: 5, note: '' })).toEqual({ requestsPerDay: 5, note: '' })
    expect(edit({ expiresAt: null })).toEqual({ expiresAtSeconds: undefined })
  })

  it('leaves the hour of a day that comes back as it was shown', () => {
    expect(edit({ expiresAt: '2026-12-24' })).toEqual({})
    expect(edit({ expiresAt: '2026-12-24T18:30:00.000Z' })).toEqual({})
    expect(edit({ expiresAt: '2026-12-25' })).toEqual({ expiresAtSeconds: at('2026-12-25T00:00:00Z') })
  })

  it('leaves a day that is over where only the note changes, and refuses to make it a new one', () => {
    const expired = { expiresAtSeconds: at('2026-11-01T00:00:00Z') }
    expect(edit({ note: 'new', expiresAt: '2026-11-01' }, expired)).toEqual({ note: 'new' })
    expect(edit({ expiresAt: '2026-11-02' }, expired)).toBe('request-invalid: expiresAt: expected a date in the future')
  })

  it('does not resume a key that has expired without a later day', () => {
    const expired = { status: 'paused' as const, expiresAtSeconds: now }
    expect(edit({ status: 'active' }, expired)).toBe('conflict: The key has expired: set a later expiry date')
    expect(edit({ status: 'active', expiresAt: '2027-01-01' }, expired)).toEqual({
      status: 'active',
      expiresAtSeconds: at('2027-01-01T00:00:00Z'),
    })
  })

  it.each(['free', 'forever'] as const)('gives a %s key no end', (tier) => {
    expect(edit({ expiresAt: '2027-01-01' }, { tier, expiresAtSeconds: undefined })).toBe(
      `conflict: Keys of tier ${tier} do not expire`,
    )
    expect(edit({ expiresAt: null }, { tier, expiresAtSeconds: undefined })).toEqual({})
  })

  it('is refused without a change, and with a status that no key has', () => {
    expect(edit({})).toBe('request-invalid: Nothing to change: expected status, requestsPerDay, expiresAt or note')
    for (const status of ['expired', 'ACTIVE', null, 1])
      expect(edit({ status })).toBe('request-invalid: status: expected active or paused')
  })
})
