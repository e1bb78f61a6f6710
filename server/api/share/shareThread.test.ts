import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openShareThread } from './openShareThread.ts'
import type { ShareFacts } from './shareFacts.ts'
import { shareLimits } from './shareLimits.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-share-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const facts: ShareFacts = {
  ...{ siteName: 'Testboard', chainName: 'Test', domain: 'board.example', accent: '#ff8a4c' },
  ...{ name: 'Basalt', symbol: 'BSLT', address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', shortAddress: '0x5FbD…0aa3' },
  ...{ isVerified: true, warnings: 1, price: '$0.7367', reason: undefined, isStale: false, time: 'Nov 27, 2026, 01:40 UTC' },
  change24h: { text: '-0.80%', way: 'down' },
  change7d: undefined,
  points: [
    [0, 1],
    [600_000, 2],
  ],
}
const thread = openShareThread()
afterAll(() => thread.close())

const keepLogo = (name: string, bytes: string | Buffer) => {
  const logoFile = join(dir, name)
  writeFileSync(logoFile, bytes)
  return logoFile
}
const svg = (inside: string, before = '') =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#00f"/>${inside}</svg>`
const drawLogo = async (name: string, bytes: string | Buffer) =>
  Buffer.from(await thread.draw({ facts, logoFile: keepLogo(name, bytes) }))
const drawBare = async () => Buffer.from(await thread.draw({ facts, logoFile: undefined }))

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

/** White, one bit a pixel. */
function toPng(side: number): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  const line = Math.ceil(side / 8) + 1
  const rows = Buffer.alloc(line * side, 0xff)
  for (let y = 0; y < side; y += 1) rows[y * line] = 0
  const begin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([begin, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

describe('a picture', () => {
  it('is a PNG of 1200 x 630', async () => {
    const png = await drawBare()
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630])
    expect(png.length).toBeLessThan(shareLimits.pngBytesMax)
  })

  it('has the logo, or the mark where the file is no picture, too large, missing or empty', async () => {
    const bare = await drawBare()
    const withLogo = await drawLogo('good.svg', svg(''))
    expect(withLogo.equals(bare)).toBe(false)
    expect((await drawLogo('good.png', toPng(8))).equals(bare)).toBe(false)
    const bad = [
      'rubbish',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<svg><',
      `${svg('')}${' '.repeat(300_000)}`,
      'RIFF1234WEBPVP8 ',
    ]
    for (const bytes of bad) expect((await drawLogo('bad.svg', bytes)).equals(bare), bytes.slice(0, 40)).toBe(true)
    expect(Buffer.from(await thread.draw({ facts, logoFile: join(dir, 'none.svg') })).equals(bare)).toBe(true)
    expect(Buffer.from(await thread.draw({ facts, logoFile: dir })).equals(bare)).toBe(true)
  })

  it('runs no script of a logo, and reads nothing that it refers to', async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.end(toPng(8))
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`
    const secret = keepLogo('secret.png', toPng(8))
    const picture = (href: string) => `<image href="${href}" width="10" height="10"/>`
    const plain = await drawLogo('plain.svg', svg(''))
    const inside = `<script href="${url}">throw 1</script>${picture(url)}${picture(`file://${secret}`)}${picture(secret)}${picture('secret.png')}<use href="${url}#a"/><style>@import url("${url}");</style>`
    expect((await drawLogo('hostile.svg', svg(inside))).equals(plain)).toBe(true)
    const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secret}">]>`
    expect((await drawLogo('entity.svg', svg('', entity))).equals(plain)).toBe(true)
    expect(calls).toBe(0)
  })

  it('is drawn without a logo that multiplies its entities', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${i ? `&a${i};`.repeat(10) : '<rect/>'}">`)
    expect((await drawLogo('lol.svg', svg('&a12;', `<!DOCTYPE svg [${rows.join('')}]>`))).equals(await drawBare())).toBe(true)
  })
})

describe('the thread', () => {
  it('ends over a logo that unpacks to 400 MB, before it has them, and the next picture is drawn', async () => {
    const bomb = toPng(10_000)
    expect(bomb.length).toBeLessThan(shareLimits.logoBytesMax)
    const before = process.memoryUsage.rss()
    await expect(drawLogo('bomb.png', bomb)).rejects.toThrow(/A picture was not drawn: RuntimeError/)
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6)
    expect((await drawBare()).length).toBeGreaterThan(10_000)
  })

  it('ends over a picture that takes too long, and draws those behind it', async () => {
    const hasty = openShareThread(
      { ...shareLimits, drawMsMax: 400 },
      new URL(
        'data:text/javascript,import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", ({ facts }) => { while (facts.name === "slow"); parentPort.postMessage(new Uint8Array([1])) }))',
      ),
    )
    onTestFinished(() => hasty.close())
    const slow = hasty.draw({ facts: { ...facts, name: 'slow' }, logoFile: undefined })
    const next = hasty.draw({ facts, logoFile: undefined })
    await expect(slow).rejects.toMatchObject({ code: 'not-ready', message: 'A picture was not drawn: It took more than 400 ms' })
    expect(await next).toEqual(new Uint8Array([1]))
  })

  it('is not there before the first picture, and ends when it is at rest', async () => {
    const resting = openShareThread(
      { ...shareLimits, idleMs: 10 },
      new URL(
        'data:text/javascript,import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", () => parentPort.postMessage(new Uint8Array([1]))))',
      ),
    )
    expect(resting.isRunning()).toBe(false)
    await resting.draw({ facts, logoFile: undefined })
    await vi.waitUntil(() => !resting.isRunning())
    expect(await resting.draw({ facts, logoFile: undefined })).toEqual(new Uint8Array([1]))
  })
})
