// The thread that draws pages: React and the page's own code, away from whatever answers requests.
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompressSync, constants } from 'node:zlib'
import type { DrawPage } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import { putDrawn } from './putDrawn.ts'
import { shareAnswers } from './shareAnswers.ts'

/** `file` has the page's code. */
export type PagePlace = { readonly file: string; readonly origin: string }

export type SiteAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** From the server's thread. `shell` is the page with its head, into which `path` is drawn; `market` numbers what it is drawn from. */
export type ToPages =
  | { readonly kind: 'draw'; readonly id: number; readonly path: string; readonly shell: string; readonly market: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SiteAnswer | undefined }

/** A drawn page, packed by brotli. `styleHash`: its rules as the content security policy names them. */
export type PackedPage = { readonly packed: Uint8Array; readonly tag: string; readonly styleHash: string | undefined }

/** To the server's thread. */
export type FromPages =
  | { readonly kind: 'ask'; readonly id: number; readonly path: string }
  | { readonly kind: 'drawn'; readonly id: number; readonly page: PackedPage | undefined }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string }

const brotliQuality = 5

const port = parentPort
if (!port) throw new Failure('config-invalid', 'This file is a thread of the server: start that')
const say = (word: FromPages) => port.postMessage(word)
const place: PagePlace = workerData

const asked = new Map<number, (answer: SiteAnswer | undefined) => void>()
let lastAsk = 0

function readAnswer(path: string): Promise<SiteAnswer | undefined> {
  lastAsk += 1
  const { promise, resolve } = Promise.withResolvers<SiteAnswer | undefined>()
  asked.set(lastAsk, resolve)
  say({ kind: 'ask', id: lastAsk, path })
  return promise
}
const shared = shareAnswers(readAnswer, () => performance.now())

/** The page asks for what it shows as in a browser; the server's thread answers. */
async function askSite(input: string | URL | Request): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, place.origin)
  const answer = await shared.ask(`${pathname}${search}`)
  if (!answer) throw new TypeError(`${pathname}: no answer`)
  return new Response(answer.body, { status: answer.status, headers: answer.headers })
}
globalThis.fetch = askSite

const loading: Promise<DrawPage> = import(pathToFileURL(place.file).href).then(
  (code: { readonly drawPage: DrawPage }) => code.drawPage,
)

async function draw(id: number, path: string, shell: string): Promise<void> {
  const drawPage = await loading
  const drawn = await drawPage(new URL(path, place.origin))
  if (!drawn) return say({ kind: 'drawn', id, page: undefined })
  const { html, css, state } = drawn
  const whole = Buffer.from(putDrawn(shell, { html, css, state }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: whole.length }
  const packed = brotliCompressSync(whole, { params })
  const tag = createHash('sha256').update(whole).digest('base64url')
  const styleHash = css === '' ? undefined : `'sha256-${createHash('sha256').update(css).digest('base64')}'`
  say({ kind: 'drawn', id, page: { packed, tag, styleHash } })
}

port.on('message', (word: ToPages) => {
  if (word.kind === 'draw') {
    shared.begin(word.market)
    draw(word.id, word.path, word.shell).catch((error: unknown) =>
      say({ kind: 'failed', id: word.id, why: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  }
  if (word.kind !== 'answer') return
  asked.get(word.id)?.(word.answer)
  asked.delete(word.id)
})
