import { expect, test } from 'vitest'
import { endOf, parseSession } from './adminSession.ts'

const session = {
  ...{ walletAddress: '0xf3', signature: '0x01', message: 'Site Admin Session', loginTime: 1_000_000 },
  ...{ id: 's1', role: 'editor' as const },
}
const stored = JSON.stringify(session)

test('a stored session is good for 24 hours from the login', () => {
  expect(parseSession(stored, 1_000_000)).toEqual(session)
  expect(parseSession(stored, 87_399_999)).toEqual(session)
  expect(parseSession(stored, 87_400_000)).toBeUndefined()
  expect(endOf(session)).toBe(87_400_000)
})

test('what is no session, or of the future, is none', () => {
  expect(parseSession(null, 2_000_000)).toBeUndefined()
  expect(parseSession('{', 2_000_000)).toBeUndefined()
  expect(parseSession('{"walletAddress":"0xf3","loginTime":1000000}', 2_000_000)).toBeUndefined()
  expect(parseSession(stored, 999_999)).toBeUndefined()
  // As an older page left it, and as nobody may.
  expect(parseSession(stored.replace('"id":"s1",', ''), 2_000_000)).toBeUndefined()
  expect(parseSession(stored.replace('editor', 'king'), 2_000_000)).toBeUndefined()
})
