import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FromPages, PagePlace, ToPages } from '../../server/api/pages/pageThread.ts'
import { NotMeasured } from '../notMeasured.ts'

/** A page of the site. */
export type PageKind = { readonly name: string; readonly path: string }
/** Milliseconds in which the thread was not idle, for each drawing of the page, and the packed bytes of the last one. */
export type ThreadTimes = PageKind & { readonly times: readonly number[]; readonly bytes: number }

const built = resolve(import.meta.dirname, '../../web/dist')
const warmUps = 15
const drawMsMax = 30_000

/** Draws pages as the server's thread does, one after the other; `url` answers what they ask for. @throws NotMeasured for one that is not drawn */
export async function measureThread(url: string, kinds: readonly PageKind[], count: number): Promise<readonly ThreadTimes[]> {
  const place: PagePlace = { file: join(built, '.draw/drawPage.js'), origin: url }
  const worker = new Worker(new URL('../../server/api/pages/pageThread.ts', import.meta.url), { workerData: place })
  try {
    const draw = openDrawing(worker, url)
    const measured: ThreadTimes[] = []
    for (const { name, path } of kinds) {
      const times: number[] = []
      let bytes = 0
      for (let i = -warmUps; i < count; i += 1) {
        const before = worker.performance.eventLoopUtilization()
        bytes = await draw(path)
        const { active } = worker.performance.eventLoopUtilization(before)
        if (i >= 0) times.push(active)
      }
      measured.push({ name, path, times, bytes })
    }
    return measured
  } finally {
    await worker.terminate()
  }
}

/** @returns draws one page at a time, and resolves with its packed bytes */
function openDrawing(worker: Worker, url: string): (path: string) => Promise<number> {
  const shell = readFileSync(join(built, 'index.html'), 'utf8')
  const post = (word: ToPages) => worker.postMessage(word)
  let drawing: PromiseWithResolvers<number> | undefined
  let lastId = 0
  const answer = async (id: number, path: string) => {
    const found = await fetch(`${url}${path}`)
    post({
      kind: 'answer',
      id,
      answer: { status: found.status, headers: Object.fromEntries(found.headers), body: await found.text() },
    })
  }
  worker.on('error', (error) => drawing?.reject(error))
  worker.on('message', (word: FromPages) => {
    if (word.kind === 'ask') return void answer(word.id, word.path).catch((error: unknown) => drawing?.reject(error))
    if (word.kind === 'failed') return drawing?.reject(new NotMeasured(`A page was not drawn: ${word.why}`))
    if (word.page) drawing?.resolve(word.page.packed.byteLength)
    else drawing?.reject(new NotMeasured('There is no such page'))
  })
  return async (path) => {
    const own = Promise.withResolvers<number>()
    drawing = own
    lastId += 1
    // Each is of a market of its own: nothing is shared with the one before.
    post({ kind: 'draw', id: lastId, path, shell, market: lastId })
    const late = setTimeout(() => own.reject(new NotMeasured(`${path} took more than ${drawMsMax / 1_000} s`)), drawMsMax)
    return own.promise.finally(() => clearTimeout(late))
  }
}
