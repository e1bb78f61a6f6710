import { expect, it } from 'vitest'
import { createFakeKeyGate } from '../testing/fakeKeyGate.ts'
import { networkFile } from '../testing/market.ts'
import { servePriceApi } from '../testing/priceApi.ts'
import { toSecurityText } from './securityText.ts'

// 2023-11-14T22:13:20Z
const nowSeconds = 1_700_000_000

it('says whom to tell of a hole, until when that is true, and where it is published', () => {
  expect(toSecurityText({ contact: 'security@board.example', publicOrigin: 'https://board.example', nowSeconds })).toBe(
    `Contact: mailto:security@board.example
Expires: 2024-05-12T00:00:00Z
Canonical: https://board.example/.well-known/security.txt
`,
  )
})

it('takes a page for a contact, and leaves out an address that is not https', () => {
  const contact = 'https://board.example/report'
  expect(toSecurityText({ contact, publicOrigin: 'http://board.example', nowSeconds })).toBe(
    'Contact: https://board.example/report\nExpires: 2024-05-12T00:00:00Z\n',
  )
})

it('is there only where the network file names a contact', async () => {
  const statusOf = async (contact: object) => {
    const network = { ...networkFile, contact }
    const api = await servePriceApi(createFakeKeyGate(), { network, publicOrigin: 'https://board.example' })
    const { statusCode, headers, body } = await api.app.inject('/.well-known/security.txt')
    await api.app.close()
    return [statusCode, headers['content-type'], body.split('\n')[0]]
  }
  expect(await statusOf({ security: 'a@board.example' })).toEqual([
    200,
    'text/plain; charset=utf-8',
    'Contact: mailto:a@board.example',
  ])
  expect((await statusOf({ email: 'api@board.example' }))[0]).toBe(404)
})
