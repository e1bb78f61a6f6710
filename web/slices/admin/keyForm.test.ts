import { expect, test } from 'vitest'
import { checkForm, emptyForm, parseRequests, toNewKey } from './keyForm.ts'

const today = '2026-11-22'

test('a form says what is wrong with it', () => {
  expect(checkForm({ ...emptyForm, email: 'ann@ember.example' }, today)).toEqual({})
  expect(
    checkForm({ ...emptyForm, email: 'ann', requestsPerDay: '1.5', expiresAt: '2026-11-22', txHash: '0x12' }, today),
  ).toEqual({
    email: 'Enter an address like name@example.org',
    requestsPerDay: 'Enter a whole number from 1 to 10,000,000',
    expiresAt: 'Enter a day in the future',
    txHash: 'Enter 0x followed by 64 hexadecimal digits',
  })
  expect(checkForm({ requestsPerDay: '5', expiresAt: '2026-11-23' }, today)).toEqual({})
})

test('the daily limit is a whole number', () => {
  expect(['10,000', ' 7 ', '0', '-1', '1e3', '10000001', ''].map(parseRequests)).toEqual([10_000, 7, ...Array(5).fill(undefined)])
})

test('a key forever has no day on which it ends', () => {
  const form = { ...emptyForm, email: ' ann@ember.example ', expiresAt: '2027-01-01' }
  expect(toNewKey({ ...form, tier: 'forever' }).expiresAt).toBeNull()
  expect(toNewKey(form)).toEqual({
    email: 'ann@ember.example',
    tier: 'basic',
    expiresAt: '2027-01-01',
    requestsPerDay: 10_000,
    note: '',
    txHash: '',
  })
})
