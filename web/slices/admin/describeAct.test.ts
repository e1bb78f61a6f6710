import { expect, test } from 'vitest'
import { describeAct } from './describeAct.ts'
import { describeExpiry, describeLastUse, describeOwner, describePayment } from './describeKey.ts'

test('an act reads as what was done', () => {
  expect(
    describeAct({
      act: 'update',
      from: { status: 'active', expiresAt: null },
      to: { status: 'paused', expiresAt: '2026-12-01T00:00:00.000Z' },
    }),
  ).toEqual({ verb: 'Changed', facts: 'status active → paused, expires never → Dec 1, 2026' })
  expect(describeAct({ act: 'create', from: {}, to: { key: '…h3Kd', requestsPerDay: 10_000 } })).toEqual({
    verb: 'Created',
    facts: 'key …h3Kd, daily limit 10,000',
  })
  expect(
    describeAct({ act: 'delete', from: { tier: 'basic' }, to: { askedBy: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' } }),
  ).toEqual({
    verb: 'Deleted',
    facts: 'tier basic, asked by 0x7099…79c8',
  })
  expect(describeAct({ act: 'end-session', from: { session: '0a1b2c3d-68df-4225-8e14-23c0b016ec9b' }, to: {} })).toEqual({
    verb: 'Ended a session',
    facts: 'session 0a1b2c3d',
  })
  expect(describeAct({ act: 'delete', from: { email: 'ann@ember.example' }, to: {} }).facts).toBe('email ann@ember.example')
})

test('a key says whose it is, when it ends and when it was used', () => {
  expect(describeOwner({ email: '', wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })).toBe('0x7099…79C8')
  expect(describeExpiry({ expiresAt: null })).toBe('Never ∞')
  expect(describeExpiry({ expiresAt: '2026-12-01T10:00:00.000Z' })).toBe('Dec 1, 2026')
  expect(describeLastUse({ lastUsed: null }, 0)).toBe('Never')
  expect(describeLastUse({ lastUsed: '2026-12-01T10:00:00.000Z' }, 1_796_119_320)).toBe('2m ago')
})

test('a payment says what the chain said', () => {
  const transfers = [
    {
      amount: '15',
      payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      recipient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    },
  ]
  expect(describePayment({ status: 'found', transfers })).toBe('15 USDC from 0x7099…79C8 to 0xf39F…2266')
  expect(describePayment({ status: 'found', transfers: [] })).toBe('No USDC moved')
  expect(describePayment({ status: 'missing', transfers: [] })).toBe('Not found on the chain')
})
