import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type Address, hourSeconds, parseAddress, type TokenTopic } from '@chainboard/core'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { crawlerRoutes } from './crawlerRoutes.ts'
import type { Clock, Market, Network, Site } from './deps.ts'
import { logosPrefix } from './logosPrefix.ts'
import { packBytes, pickEncoding } from './packing.ts'
import { findNamedPath, type HeadPage, type HeadSite, putHead } from './pageHead.ts'
import type { KeptPage } from './pages/keepPages.ts'
import type { Pages } from './pages/openPages.ts'
import { permissionsPolicy } from './permissionsPolicy.ts'
import { isProbe } from './probes.ts'
import { toDrawnPath } from './toDrawnPath.ts'
import { toWireToken } from './toWire.ts'
import { toWebManifest } from './webManifest.ts'

export type WebDeps = Network & Pick<Site, 'origin' | 'publicOrigin'> & Market & Clock
type WebOptions = {
  readonly webDir: string | undefined
  readonly logosDir: string
  /** Pages drawn at the server; absent: browsers draw all of them. */
  readonly pages?: Pick<Pages, 'find'> | undefined
}

const yearSeconds = 31_536_000
/** Times of files are as exact as that on every file system. */
const settledMs = 2_000
/** The price API's client and its types: pages of other sites may import them. */
const importedElsewhere = /[\\/]price-client\.(mjs|d\.mts)$/
/** Pictures that other sites show: a preview of a link, a token's logo beside its price. */
const shownElsewhere = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const

/**
 * The built page and the tokens' logos. Paths of the page itself are answered with it, so that its addresses can be opened
 * and shared; what looks like a file or an API call is not. Whoever comes with a browser to a file that is nowhere gets the page, too,
 * which leads home.
 */
export function webRoutes(deps: WebDeps, { webDir, logosDir, pages }: WebOptions): FastifyPluginAsync {
  const site = toHeadSite(deps)
  const sendDrawn = createSendDrawn()
  return async (app) => {
    await app.register(logoRoutes(logosPrefix(deps), logosDir))
    if (!webDir) return
    await app.register(fastifyStatic, {
      root: webDir,
      serve: false,
      // The build packs its scripts and style sheets (web/vite.config.ts).
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('Cache-Control', path.includes('/assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
        if (path.endsWith('/preview.png')) reply.header(...shownElsewhere)
        if (importedElsewhere.test(path)) reply.header('Access-Control-Allow-Origin', '*').header(...shownElsewhere)
        // By its end it would be a film.
        if (path.endsWith('.d.mts')) reply.header('Content-Type', 'text/plain; charset=utf-8')
      },
    })
    const readPage = await keepPage(join(webDir, 'index.html'))
    app.get('/manifest.webmanifest', (_, reply) =>
      reply.header('Cache-Control', 'no-cache').type('application/manifest+json').send(toWebManifest(site)),
    )
    await app.register(crawlerRoutes({ origin: deps.origin, snapshot: deps.snapshot, nowSeconds: deps.nowSeconds, webDir }))
    app.get('/reset', forgetSite)
    app.get('/*', async (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      if (/^\/(api|logos|metrics)(\/|$)/.test(path) || isProbe(path) || isHidden(path)) return reply.callNotFound()
      if (looksLikeFile(path) && !(isNavigation(request) && (await isNowhere(webDir, path))))
        return reply.sendFile(decodeURI(path))
      if (receiptPage.test(path)) letAskAnyNode(reply)
      const drawnPath = pages && toDrawnPath(request.url, (token) => deps.snapshot().byToken.get(token) !== undefined)
      // Of one path there is one head: another spelling of it takes no drawn page from others, and puts no other name above it.
      const shell = putHead(await readPage(), site, toHeadPage(deps, drawnPath ?? request.url))
      const drawn = drawnPath === undefined ? undefined : await pages?.find({ path: drawnPath, shell })
      return drawn ? sendDrawn(request, reply, drawn) : sendPage(request, reply, shell)
    })
  }
}

/** By `sendFile`: a route of the plugin's own lists the folder first, and refuses a file for good while that fails. */
function logoRoutes(prefix: string, logosDir: string): FastifyPluginAsync {
  return async (app) => {
    await app.register(fastifyStatic, {
      root: logosDir,
      serve: false,
      maxAge: hourSeconds * 1000,
      index: false,
      setHeaders: (reply) => {
        // A logo is a file that somebody sent in: shown as a picture it is harmless, opened by itself it must be too.
        reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        reply.header(...shownElsewhere)
      },
    })
    app.get<{ Params: { '*': string } }>(`${prefix}*`, (request, reply) => reply.sendFile(request.params['*']))
  }
}

/**
 * The way out of a service worker that does harm: the browser forgets what this site keeps in it, but no cookie. Pages come from the server
 * first, so that this one is always reached. Other sites lead here without effect, and so does a token whose logo this address is.
 */
function forgetSite(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { 'sec-fetch-site': from, 'sec-fetch-dest': as = 'document' } = request.headers
  // `empty`: for a page, from a service worker.
  const isPage = as === 'document' || as === 'empty'
  if (isPage && (from === 'none' || from === 'same-origin')) reply.header('Clear-Site-Data', '"cache", "storage"')
  return reply.header('Cache-Control', 'no-store').redirect('/', 303)
}

/**
 * The page as it is on disk, read once for each build, so that a new build needs no new start. While it cannot be read, which is when no file descriptors are
 * left or a build replaces it, as it was last.
 */
async function keepPage(path: string): Promise<() => Promise<string>> {
  let kept: { readonly text: string; readonly mark: string } | undefined
  const read = async () => {
    // Looked at before it is read: what changes in between is read again with the next request.
    const { ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(path, { bigint: true })
    // A build that is copied may bring the time of another one along (`mtime`): that of the change here is the file system's own.
    const mark = `${ino} ${size} ${mtimeNs} ${ctimeNs}`
    // One that was just changed may be changed again without a later time.
    const isSettled = Math.abs(Date.now() - Number(ctimeMs)) > settledMs
    if (kept?.mark !== mark || !isSettled) kept = { text: await readFile(path, 'utf8'), mark }
    return kept.text
  }
  await read().catch(() => undefined)
  return () =>
    read().catch((error: unknown) => {
      if (kept === undefined) throw error
      return kept.text
    })
}

/**
 * Folders and files that servers hide, such as `/.git/config`, however they are written: no visitor opens one, and a scanner that gets a
 * page reports it as found.
 */
function isHidden(path: string): boolean {
  return /[\\/]\./.test(decodeURIComponent(path))
}

function looksLikeFile(path: string): boolean {
  return /\.[a-z0-9]+$/i.test(path) && path !== '/index.html'
}

/** A visitor's browser opens an address; a script, a picture or a program that asks for a file does not want a page instead. */
export function isNavigation({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

/** No file of the page, nor one that a page of an earlier build may still ask for. */
async function isNowhere(webDir: string, path: string): Promise<boolean> {
  if (path.startsWith('/assets/')) return false
  const found = await stat(join(webDir, join('/', decodeURI(path)))).catch(() => undefined)
  return !found?.isFile()
}

function toHeadSite(deps: WebDeps): HeadSite {
  const { siteName, chain, brand } = deps.network
  const toPath = (file: string | undefined) => file && `${logosPrefix(deps)}${file}`
  return {
    siteName,
    chainName: chain.name,
    origin: deps.origin,
    publicOrigin: deps.publicOrigin,
    logoPath: toPath(brand.logo),
    previewPath: toPath(brand.preview),
  }
}

/** The page on which a visitor names a node of their own, to verify a price with. */
const receiptPage = /^\/token\/[^/]+\/receipt\/?$/

/** No other page may send anything to anywhere but this server and the chain's public node. */
function letAskAnyNode(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  const widened = policy.replace(/connect-src ([^;]*)/, 'connect-src $1 https: http://localhost:* http://127.0.0.1:*')
  if (widened !== policy) reply.header('Content-Security-Policy', widened)
}

const topics: readonly TokenTopic[] = ['token', 'chart', 'swaps', 'boost']

/** What an address shows. The open token is the first of those that web/app/homeSearch.ts reads. */
function toHeadPage({ snapshot, nowSeconds }: WebDeps, url: string): HeadPage {
  const [path = '', query] = url.split('?')
  const named = findNamedPath(path)
  if (named) return { kind: 'named', path: named }
  const asked = /^\/token\/([^/]+)(\/receipt)?\/?$/.exec(path)?.[1]
  if (asked !== undefined) return toTokenHead({ snapshot, nowSeconds }, parseAddress(asked)) ?? { kind: 'other' }
  const [, kind, text = ''] = /^\/(pool|wallet)\/([^/]+)\/?$/.exec(path) ?? []
  const other = parseAddress(text)
  if (kind && other) return { kind: 'other', path: `/${kind}/${other}` }
  if (path !== '/') return { kind: 'other' }
  const search = new URLSearchParams(query)
  const topic = topics.find((name) => search.get(name)) ?? 'token'
  const address = parseAddress((search.get(topic) ?? '').trim())
  return toTokenHead({ snapshot, nowSeconds }, address, topic) ?? { kind: 'home' }
}

/** @returns undefined for a token that is not listed */
function toTokenHead(
  { snapshot, nowSeconds }: Pick<WebDeps, 'snapshot' | 'nowSeconds'>,
  address: Address | undefined,
  topic: TokenTopic = 'token',
): HeadPage | undefined {
  const market = address && snapshot().byToken.get(address)
  return market && { kind: 'token', topic, token: toWireToken(market, { nowSeconds: nowSeconds() }) }
}

/** The head changes with the market: only the text itself says whether a browser has this very page. */
function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  const isKnown = sayTag(request, reply, createHash('sha256').update(html).digest('base64url'))
  return isKnown ? reply.code(304).send() : reply.type(htmlType).send(html)
}

const htmlType = 'text/html; charset=utf-8'

/** @returns whether the browser has this very page */
function sayTag(request: FastifyRequest, reply: FastifyReply, hash: string): boolean {
  const tag = `W/"${hash}"`
  reply.header('Cache-Control', 'no-cache').header('ETag', tag).header('Permissions-Policy', permissionsPolicy)
  return request.headers['if-none-match']?.split(/\s*,\s*/).includes(tag) ?? false
}

/** Drawn pages packed by gzip, 20 KB each: no more of them than may be new enough to go out. */
const gzippedMax = 128

/** A page that is packed already; its rules are allowed by their hash, and no others. For who takes gzip alone it is packed anew once. */
function createSendDrawn() {
  const gzipped = new LRUCache<string, Promise<Buffer>>({ max: gzippedMax })
  const toGzip = ({ tag, packed }: KeptPage): Promise<Buffer> => {
    const known = gzipped.get(tag)
    if (known) return known
    const bytes = unpack(packed).then((whole) => packBytes(whole, 'gzip'))
    gzipped.set(tag, bytes)
    // What failed is not kept.
    bytes.catch(() => gzipped.delete(tag))
    return bytes
  }
  return async (request: FastifyRequest, reply: FastifyReply, page: KeptPage): Promise<FastifyReply> => {
    const policy = String(reply.getHeader('content-security-policy') ?? '')
    if (page.styleHash) reply.header('Content-Security-Policy', policy.replace(/style-src [^;]*/, `$& ${page.styleHash}`))
    reply.header('Vary', 'accept-encoding')
    if (sayTag(request, reply, page.tag)) return reply.code(304).send()
    const encoding = pickEncoding(request.headers['accept-encoding'])
    reply.type(htmlType)
    if (encoding === 'identity') return reply.send(await unpack(page.packed))
    const { buffer, byteOffset, byteLength } = page.packed
    const bytes = encoding === 'br' ? Buffer.from(buffer, byteOffset, byteLength) : await toGzip(page)
    return reply.header('Content-Encoding', encoding).send(bytes)
  }
}

const unpack = promisify(brotliDecompress)
