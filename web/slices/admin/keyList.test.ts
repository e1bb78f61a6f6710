import type { WireApiKey } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { findShared, isFound, listFound } from './keyList.ts'

const base: WireApiKey = {
  id: 'cb_••••h3Kd',
  fullId: 'k1',
  email: 'ann@ember.example',
  status: 'active',
  tier: 'basic',
  requestsPerDay: 10_000,
  usageToday: 5,
  createdAt: '2026-11-01T00:00:00.000Z',
  expiresAt: '2026-12-01T00:00:00.000Z',
  lastUsed: null,
  note: '',
  wallet: null,
  txHash: null,
  payment: null,
  deletion: null,
}
const free: WireApiKey = {
  ...base,
  id: 'cb_••••9xYz',
  fullId: 'k2',
  email: '',
  tier: 'free',
  usageToday: 70,
  createdAt: '2026-11-02T00:00:00.000Z',
  expiresAt: null,
  lastUsed: '2026-11-03T00:00:00.000Z',
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}

test('a key is found by its e-mail, its wallet, its mask and by itself', () => {
  expect(isFound(base, ' ANN@ ')).toBe(true)
  expect(isFound(base, 'h3kd')).toBe(true)
  expect(isFound(base, `cb_${'a'.repeat(34)}h3Kd`)).toBe(true)
  expect(isFound(free, `cb_${'a'.repeat(34)}h3Kd`)).toBe(false)
  expect(isFound(free, '0x7099')).toBe(true)
  expect(isFound(free, 'ann')).toBe(false)
})

test('keys have five orders', () => {
  const idsBy = (sort: Parameters<typeof listFound>[2]) => listFound([base, free], '', sort).map(({ fullId }) => fullId)
  expect(idsBy('newest')).toEqual(['k2', 'k1'])
  expect(idsBy('usage')).toEqual(['k2', 'k1'])
  expect(idsBy('lastUsed')).toEqual(['k2', 'k1'])
  expect(idsBy('expires')).toEqual(['k1', 'k2'])
  expect(idsBy('email')).toEqual(['k1', 'k2'])
})

test('a payment that two keys name stands out, and is found by its hash', () => {
  const txHash = `0x${'ab'.repeat(32)}`
  const paid = { ...base, txHash }
  expect([...findShared([base, free, paid])]).toEqual([])
  expect([...findShared([paid, free, { ...paid, fullId: 'k3' }])]).toEqual([txHash])
  expect(isFound(paid, '0xABAB')).toBe(true)
})
