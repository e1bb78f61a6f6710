import { expect, it } from 'vitest'
import { createKeyedHash } from '../keyedHash.ts'
import { judgeSiwe, makeSiweMessage, type SiweUse } from './judgeSiwe.ts'

const party = { origin: 'https://board.example', host: 'board.example', rpId: 'board.example' }
const use: SiweUse = { purpose: 'sign-in', party, challengeToken: 'a browser', user: undefined }

it('takes back the message that it gave out, also when a second begins while it is made', () => {
  let now = 1_700_000_000
  const nowSeconds = () => {
    now += 1
    return now
  }
  const parts = { chainId: 31_337, keyedHash: createKeyedHash('pepper'), nowSeconds }
  const message = makeSiweMessage(parts, `0x${'aa'.repeat(20)}`, use)
  expect(message).toContain('\nIssued At: 2023-11-14T22:13:21.000Z\n')
  expect(judgeSiwe(parts, { message, signature: '0x1234' }, use)).toMatchObject({
    challenge: { issuedAtSeconds: 1_700_000_001, expiresAtSeconds: 1_700_000_301 },
  })
})
