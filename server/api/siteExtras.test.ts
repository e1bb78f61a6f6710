import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuiltSite } from '../testing/builtSite.ts'
import { listed } from '../testing/market.ts'

// What a site has beside its pages for browsers and search engines.

const { open } = createBuiltSite()
let app: FastifyInstance
beforeAll(async () => {
  app = await open()
})
afterAll(() => app.close())

describe('the way out of a service worker', () => {
  it.each([
    ['none', '"cache", "storage"'],
    ['same-origin', '"cache", "storage"'],
    ['cross-site', undefined],
    ['', undefined],
  ])('is for the visitor, not for pages of others: from %s', async (from, cleared) => {
    const { statusCode, headers } = await app.inject({ url: '/reset', headers: from ? { 'sec-fetch-site': from } : {} })
    expect([statusCode, headers.location, headers['clear-site-data']]).toEqual([303, '/', cleared])
  })

  it.each([
    ['document', '"cache", "storage"'],
    // As a service worker asks for a page.
    ['empty', '"cache", "storage"'],
    ['image', undefined],
    ['style', undefined],
  ])("is no token's picture: as %s", async (dest, cleared) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest }
    expect((await app.inject({ url: '/reset', headers })).headers['clear-site-data']).toBe(cleared)
  })
})

describe('the map for search engines', () => {
  it('names the pages and the page of every listed token', async () => {
    const { headers, body } = await app.inject('/sitemap.xml')
    expect(headers['content-type']).toContain('application/xml')
    expect([...body.matchAll(/<loc>https:\/\/board\.example([^<]*)<\/loc>/g)].map(([, path]) => path)).toEqual([
      ...['/', '/pools', '/swaps', '/users', '/developers', '/docs'],
      ...listed.map(({ address }) => `/token/${address}`),
    ])
  })
})

describe('the manifest', () => {
  it('has the name of the site and the mark of the product', async () => {
    const answer = await app.inject('/manifest.webmanifest')
    expect(answer.headers['content-type']).toContain('application/manifest+json')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.json()).toEqual({
      name: 'Testboard',
      short_name: 'Testboard',
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#0b0d12',
      theme_color: '#0b0d12',
      icons: [
        { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
        { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180' },
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
      ],
      share_target: { action: '/', method: 'GET', params: { text: 'q' } },
    })
  })

  it("has the network's own logo", async () => {
    const branded = await open({ logo: 'brand.webp', preview: 'share.png' })
    expect((await branded.inject('/manifest.webmanifest')).json().icons).toEqual([
      { src: '/logos/test/brand.webp', type: 'image/webp', sizes: 'any' },
    ])
    const { body } = await branded.inject('/')
    expect(body).toContain('<link rel="icon" href="/logos/test/brand.webp" type="image/webp" />')
    expect(body).toContain('<meta property="og:image" content="https://board.example/logos/test/share.png" />')
    await branded.close()
  })
})
