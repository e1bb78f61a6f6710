import { expect, test } from 'vitest'
import { canUsePasskeys } from './canUsePasskeys.ts'
import { nameDevice } from './nameDevice.ts'

const place = { isSecureContext: true, PublicKeyCredential: class {}, location: { hostname: 'board.example' } }

test.each([
  ['board.example', true],
  ['localhost', true],
  ['127.0.0.1', false],
  ['[::1]', false],
])('passkeys belong to names, not to addresses: %s', (hostname, can) => {
  expect(canUsePasskeys({ ...place, location: { hostname } })).toBe(can)
})

test('there are none without https, or in a browser that knows none', () => {
  expect(canUsePasskeys({ ...place, isSecureContext: false })).toBe(false)
  expect(canUsePasskeys({ ...place, PublicKeyCredential: undefined })).toBe(false)
})

test.each([
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Mac'],
  ['curl/8.0', 'Passkey'],
])('a passkey is called after its browser: %s', (userAgent, name) => {
  expect(nameDevice(userAgent)).toBe(name)
})
