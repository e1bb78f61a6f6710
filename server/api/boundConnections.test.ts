import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { boundConnections } from './boundConnections.ts'

const folder = mkdtempSync(join(tmpdir(), 'chainboard-limits-'))

/** As the kernel writes it. */
function writeLimits(openFiles: string): string {
  const file = join(folder, 'limits')
  const title = 'Limit                     Soft Limit           Hard Limit           Units     '
  writeFileSync(
    file,
    `${title}\nMax processes             94567    94567    processes\nMax open files            ${openFiles}    files     \n`,
  )
  onTestFinished(() => rmSync(file))
  return file
}

async function listen(openFiles: string) {
  let dropped = 0
  const server = createServer((_, response) => response.end('here'))
  boundConnections(server, () => (dropped += 1), writeLimits(openFiles))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const lines: Socket[] = []
  onTestFinished(() => {
    for (const line of lines) line.destroy()
    server.close()
  })
  const open = async (localAddress = '127.0.0.1') => {
    const line = connect({ port, host: '127.0.0.1', localAddress })
    lines.push(line)
    line.on('error', () => undefined)
    line.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n')
    return new Promise<string>((done) => {
      line.once('data', () => done('answered'))
      line.once('close', () => done('closed'))
    })
  }
  return { open, lines, dropped: () => dropped }
}

it('closes connections beyond half of few descriptors, and takes new ones when old ones end', async () => {
  const { open, lines, dropped } = await listen('8                    1048576')
  const ends: string[] = []
  for (let i = 0; i < 6; i += 1) ends.push(await open(`127.0.0.${i + 1}`))
  expect(ends).toEqual(['answered', 'answered', 'answered', 'answered', 'closed', 'closed'])
  expect(dropped()).toBe(2)
  lines[0]?.destroy()
  await expect.poll(() => open('127.0.0.9')).toBe('answered')
})

it('closes connections of a client that has an eighth of all, once half are in use, and takes those of others', async () => {
  const { open, lines, dropped } = await listen('48                    1048576')
  const ends: string[] = []
  for (let i = 0; i < 14; i += 1) ends.push(await open())
  // Half of 24; the client has had more than three of them all along.
  expect(ends).toEqual([...Array(12).fill('answered'), 'closed', 'closed'])
  expect(await Promise.all([open('127.0.0.2'), open('127.0.0.2'), open('127.0.0.2')])).toEqual(Array(3).fill('answered'))
  expect(await open('127.0.0.2')).toBe('closed')
  expect(dropped()).toBe(3)
  for (const line of lines.slice(0, 12)) line.destroy()
  await expect.poll(() => open()).toBe('answered')
})

it.each([
  ['20000                20000', 19_744],
  ['unlimited            unlimited', undefined],
])('of %s descriptors leaves 256', (openFiles, most) => {
  const server = createServer()
  boundConnections(server, () => undefined, writeLimits(openFiles))
  expect(server.maxConnections).toBe(most)
})

it('bounds nothing where the system tells no limit', () => {
  const server = createServer()
  boundConnections(server, () => undefined, join(folder, 'none'))
  expect(server.maxConnections).toBeUndefined()
})
