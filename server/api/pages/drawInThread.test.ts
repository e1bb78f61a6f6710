import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openPageThread } from './drawInThread.ts'

const folder = mkdtempSync(join(tmpdir(), 'chainboard-pages-'))
const file = join(folder, 'drawPage.mjs')
writeFileSync(
  file,
  `export async function drawPage({ pathname, search }) {
  if (pathname === '/hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (pathname === '/none') return undefined
  if (pathname === '/throw') throw new Error('no such page')
  const answer = await fetch('/api' + pathname + search)
  return { html: await answer.text(), css: 'a{color:red}', state: JSON.stringify({ status: answer.status, at: answer.headers.get('x-at') }) }
}`,
)
const asked: string[] = []
const thread = openPageThread({
  file,
  origin: 'https://board.example',
  ask: async (path) => {
    asked.push(path)
    if (path === '/api/slow') await new Promise(() => undefined)
    return path === '/api/lost' ? undefined : { status: 200, headers: { 'x-at': '7' }, body: `<b>${path}</b>` }
  },
  drawMsMax: 2_000,
  answerMsMax: 200,
  megabytesMax: 64,
})
beforeEach(() => {
  asked.length = 0
})
afterAll(async () => {
  await thread.close()
  rmSync(folder, { recursive: true })
})

const shell = '<html><head></head><body><div id="root"></div><noscript>off</noscript></body></html>'
const draw = async (path: string, market = 1) =>
  brotliDecompressSync((await thread.draw({ path, shell, market }))?.packed ?? '').toString()

test("a page is drawn in a thread from the site's own answers", async () => {
  expect(await draw('/x?q=1')).toBe(
    '<html><head><style>a{color:red}</style></head><body><div id="root"><b>/api/x?q=1</b></div>\n' +
      '    <script type="application/json" id="drawn">{"status":200,"at":"7"}</script></body></html>',
  )
  expect(asked).toEqual(['/api/x?q=1'])
})

test('a page of another market shares no answer of the one before', async () => {
  for (const market of [2, 3]) await draw('/shared', market)
  expect(asked.filter((path) => path === '/api/shared')).toHaveLength(2)
})

test('its rules are named for the content security policy by their hash', async () => {
  const page = await thread.draw({ path: '/x', shell, market: 1 })
  // printf 'a{color:red}' | openssl dgst -sha256 -binary | base64
  expect(page?.styleHash).toBe("'sha256-6hWWMOcF+mJesSJGYhmK2lkIIEw9Xc5XKGLPVzh8yxs='")
})

test('there is no page where the site has none', async () => {
  expect(await thread.draw({ path: '/none', shell, market: 1 })).toBeUndefined()
})

test('a page that throws, one whose answer does not come and one that hangs fail alone', async () => {
  await expect(draw('/throw')).rejects.toThrow('A page was not drawn: Error: no such page')
  await expect(draw('/lost')).rejects.toThrow('/api/lost: no answer')
  // Whatever waits beside it goes on.
  await expect(draw('/slow')).rejects.toThrow('/api/slow: no answer')
  await expect(draw('/hang')).rejects.toThrow('It took more than 2000 ms')
  expect(await draw('/x')).toContain('<b>/api/x</b>')
})
