import { expect, test } from 'vitest'
import { toParty } from './toParty.ts'

const published = { origin: 'https://board.example', publicOrigin: 'https://board.example' }
const local = { origin: 'http://127.0.0.1:3000', publicOrigin: undefined }
const board = { origin: 'https://board.example', host: 'board.example', rpId: 'board.example' }

test.each([
  ['board.example', board],
  ['evil.example', board],
  ['localhost:3000', board],
])('the site is what PUBLIC_URL says, also for a request to %s', (host, party) => {
  expect(toParty(published, host)).toEqual(party)
})

test.each([
  ['localhost:3000', { origin: 'http://localhost:3000', host: 'localhost:3000', rpId: 'localhost' }],
  ['127.0.0.1:3001', { origin: 'http://127.0.0.1:3001', host: '127.0.0.1:3001', rpId: undefined }],
  // A name of somebody else's that leads here.
  ['evil.example:3000', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000', rpId: undefined }],
  ['localhost.evil.example', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000', rpId: undefined }],
  ['evil.example@localhost', { origin: 'http://localhost', host: 'localhost', rpId: 'localhost' }],
  ['', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000', rpId: undefined }],
])('without it, the site is what this machine calls itself: %j', (host, party) => {
  expect(toParty(local, host)).toEqual(party)
})

test.each([
  ['http://192.0.2.1:8080', undefined],
  ['http://[2001:db8::1]', undefined],
  ['https://board', 'board'],
])('passkeys belong to a name, not to an address: %s', (publicOrigin, rpId) => {
  expect(toParty({ origin: publicOrigin, publicOrigin }, 'x').rpId).toBe(rpId)
})
