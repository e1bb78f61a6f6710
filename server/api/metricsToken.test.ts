import { describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../testing/fakeKeyGate.ts'
import { servePriceApi } from '../testing/priceApi.ts'
import { mayScrape } from './metricsToken.ts'

const token = 'k3Jp0sTq9ZrW2mXy8VbN4LcA7HdG1FuE'

it.each([
  [`Bearer ${token}`, true],
  [`bearer ${token}`, true],
  [undefined, false],
  ['', false],
  ['Bearer', false],
  [token, false],
  [`Basic ${token}`, false],
  [`Bearer ${token}x`, false],
  [`Bearer ${token.slice(0, -1)}`, false],
  [`Bearer ${token.toLowerCase()}`, false],
])('a scrape with %s: %s', (authorization, wanted) => expect(mayScrape(authorization, token)).toBe(wanted))

describe('/metrics', () => {
  it('asks for the token where there is one, and the probes beside it for none', async () => {
    const api = await servePriceApi(createFakeKeyGate(), { metricsToken: token })
    const refused = await api.app.inject('/metrics')
    expect([refused.statusCode, refused.headers['www-authenticate'], refused.json()]).toEqual([
      401,
      'Bearer',
      { error: 'Metrics need the header Authorization: Bearer, with the METRICS_TOKEN of the server' },
    ])
    const scraped = await api.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    expect([scraped.statusCode, scraped.body]).toEqual([200, expect.stringContaining('chainboard_index_block')])
    expect((await api.app.inject('/healthz')).statusCode).toBe(200)
    await api.app.close()
  })
})
