// The service worker: it shows the home page's last prices to a browser that does not reach the server, and does nothing else. Pages come from the
// server first, whatever happens here; answers of the API never pass through it.
import { findDrawnAtMs, toEmptyPage, toOfflinePage } from './toOfflinePage.ts'

type LifeEvent = Event & { waitUntil(work: Promise<unknown>): void }
type PageEvent = LifeEvent & {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

declare const self: {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } }
}

/** Of a page kept by an older form of this file nothing is used. */
const cacheName = 'offline-1'
const homePath = '/'
/** A page names one style sheet and one font; more than these are not kept. */
const filesMax = 4
const fileBytesMax = 2_000_000
const keptFile = /(?:href)="(\/assets\/[^"]+\.(?:css|woff2))"/g
/** What a kept page may do: show its text in its own style. */
const policy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'"

addEventListener('install', () => void self.skipWaiting())
addEventListener('activate', (event) => {
  if (isLife(event))
    event.waitUntil(Promise.all([dropOld(), self.clients.claim(), self.registration.navigationPreload?.enable()]))
})
addEventListener('fetch', (event) => {
  if (!isPage(event)) return
  const { request } = event
  if (request.method !== 'GET' || isAnswer(request.url)) return
  if (request.mode === 'navigate') event.respondWith(answerPage(event))
  // Only a page that was kept asks without the server.
  else if (isKeptFile(request.url)) event.respondWith(answerFile(request))
})

function isLife(event: Event): event is LifeEvent {
  return 'waitUntil' in event
}

function isPage(event: Event): event is PageEvent {
  return isLife(event) && 'respondWith' in event
}

/** Files and JSON of the API, which links lead to, too. */
function isAnswer(url: string): boolean {
  return new URL(url).pathname.startsWith('/api/')
}

function isKeptFile(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && /^\/assets\/.*\.(css|woff2)$/.test(pathname)
}

async function answerPage(event: PageEvent): Promise<Response> {
  const { request } = event
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(request))
    const { pathname, search } = new URL(request.url)
    if (answer.ok && pathname === homePath && search === '') event.waitUntil(keep(answer.clone()).catch(() => undefined))
    return answer
  } catch {
    return showKept()
  }
}

/** Those files never change under their name. */
async function answerFile(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request.url, { cacheName }).catch(() => undefined)
    if (kept) return kept
    throw error
  }
}

/** The page comes last, so that a page that is kept has its files. A full disk keeps what there was. */
async function keep(answer: Response): Promise<void> {
  const html = await answer.text()
  if (findDrawnAtMs(html) === undefined) return
  const cache = await caches.open(cacheName)
  const files = [...new Set([...html.matchAll(keptFile)].map(([, path = '']) => path))].slice(0, filesMax)
  for (const path of files) {
    if (await cache.match(path)) continue
    const file = await fetch(path)
    const bytes = file.ok ? await file.clone().arrayBuffer() : undefined
    if (!bytes || bytes.byteLength > fileBytesMax) return
    await cache.put(path, file)
  }
  await cache.put(homePath, new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } }))
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname !== homePath && !files.includes(pathname)) await cache.delete(url)
  }
}

async function showKept(): Promise<Response> {
  const kept = await caches.match(homePath, { cacheName }).catch(() => undefined)
  const format = (ms: number) => new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  const page = kept && toOfflinePage(await kept.text(), Date.now(), format)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'cache-control': 'no-store' }
  return new Response(page ?? toEmptyPage(), { headers })
}

async function dropOld(): Promise<void> {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
}
