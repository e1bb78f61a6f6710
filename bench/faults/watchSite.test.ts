import { expect, it, vi } from 'vitest'
import { findFreePort } from '../../tools/freePort.ts'
import { serveHttp } from '../testing/serveHttp.ts'
import { nobody, watchSite } from './watchSite.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const status = {
  ...{ block: 1, blockTime: 1, secondsSinceContact: 1, lagBlocks: 0, state: 'live', reason: null, progress: null },
  ...{ completeSince: null, swapsKeptSince: null, hoursKeptSince: null },
  tokenList: { tokens: 1, takenAt: 1, refused: null, beingRead: null, web: null },
}

it('counts the answers of the page and of the API, and notes each state once', async () => {
  const seen = { page: 0, status: 0 }
  const { url } = await serveHttp(({ url: path }, response) => {
    if (path === '/') {
      seen.page += 1
      return response.end('<!doctype html>')
    }
    if (path !== '/api/status') return response.writeHead(503).end('The node is not responding')
    seen.status += 1
    const reason = `Block ${seen.status} is disputed`
    return response.end(JSON.stringify(seen.status === 1 ? status : { ...status, state: 'disputed', reason }))
  })
  const watch = watchSite(url)
  await vi.waitUntil(() => seen.page >= 4 && seen.status >= 4, patience)
  const { page, api, told, refusals } = await watch.end()
  expect(page.statuses).toEqual({ 200: page.count })
  expect(page.count).toBe(seen.page)
  expect(Object.keys(api.statuses).toSorted()).toEqual(['200', '503'])
  expect(api.statuses[200]).toBe(seen.status)
  // The number in the sentence changes: it is the same state.
  expect(told).toEqual(['live', 'disputed: Block 2 is disputed'])
  expect(refusals.toSorted()).toEqual([
    '/api/v1/prices 503: The node is not responding',
    '/healthz 503: The node is not responding',
  ])
})

it('tells a server that is away from one that cuts off its answers', async () => {
  let asked = 0
  const { url } = await serveHttp((request) => {
    asked += 1
    request.socket.destroy()
  })
  const cut = watchSite(url)
  await vi.waitUntil(() => asked >= 4, patience)
  expect(Object.keys((await cut.end()).page.statuses)).toEqual(['cut off'])
  const away = watchSite(`http://127.0.0.1:${await findFreePort()}`)
  expect(await away.end()).toMatchObject({ page: { count: 1, statuses: { [nobody]: 1 } } })
})

it('does not take a status of another shape for an answer', async () => {
  let asked = 0
  const { url } = await serveHttp((_, response) => {
    asked += 1
    response.end('{"state":"well"}')
  })
  const watch = watchSite(url)
  await vi.waitUntil(() => asked >= 4, patience)
  await expect(watch.end()).rejects.toThrow('The status')
})
