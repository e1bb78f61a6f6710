import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourSeconds } from '@chainboard/core'
import type { FastifyPluginAsync } from 'fastify'
import type { Clock, Market, Site } from './deps.ts'
import { packBytes, pickEncoding } from './packing.ts'

/** As many as a search engine takes from one file. */
const addressesMax = 50_000
const ownPaths = ['/', '/pools', '/swaps', '/users', '/developers', '/docs']

type CrawlerDeps = Pick<Site, 'origin'> & Market & Clock & { readonly webDir: string }

/** What search engines ask for: `/robots.txt`, which names the map, and `/sitemap.xml`, made once an hour when somebody asks. */
export function crawlerRoutes({ origin, snapshot, nowSeconds, webDir }: CrawlerDeps): FastifyPluginAsync {
  let kept: { readonly madeAt: number; readonly plain: Buffer; readonly packed: Promise<Buffer> } | undefined
  const make = () => {
    const tokens = snapshot().markets.map(({ token }) => `/token/${token.address}`)
    const plain = Buffer.from(toSitemap(origin, [...ownPaths, ...tokens].slice(0, addressesMax)))
    return { madeAt: nowSeconds(), plain, packed: packBytes(plain, 'gzip') }
  }
  return async (app) => {
    const rules = await readFile(join(webDir, 'robots.txt'), 'utf8')
    app.get('/robots.txt', (_, reply) =>
      reply
        .header('Cache-Control', 'no-cache')
        .type('text/plain; charset=utf-8')
        .send(`${rules}Sitemap: ${origin}/sitemap.xml\n`),
    )
    app.get('/sitemap.xml', async (request, reply) => {
      if (!kept || nowSeconds() - kept.madeAt >= hourSeconds) kept = make()
      reply.headers({ 'Cache-Control': `public, max-age=${hourSeconds}`, Vary: 'accept-encoding' }).type('application/xml')
      if (pickEncoding(request.headers['accept-encoding']) === 'identity') return reply.send(kept.plain)
      return reply.header('Content-Encoding', 'gzip').send(await kept.packed)
    })
  }
}

/** @param paths of this site, which need no escape */
function toSitemap(origin: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`
}
