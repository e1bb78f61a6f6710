import { execFileSync } from 'node:child_process'
import { constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLogStream } from './logStream.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-log-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A pipe, both of whose ends are the one descriptor. */
function openPipe(name: string): number {
  execFileSync('mkfifo', [join(dir, name)])
  return openSync(join(dir, name), constants.O_RDWR | constants.O_NONBLOCK)
}

/** Whatever is in the pipe now. */
function takeAll(fd: number): string {
  const bytes = Buffer.alloc(1024 * 1024)
  try {
    return bytes.toString('latin1', 0, readSync(fd, bytes))
  } catch {
    return ''
  }
}

it('a reader that stalls for a while gets every line in order', async () => {
  const fd = openPipe('stalled')
  const stream = openLogStream({ fd })
  const lines = Array.from({ length: 300 }, (_, i) => `${`${i}`.padStart(999, '.')}\n`)
  for (const line of lines) stream.write(line)
  let taken = ''
  const take = () => {
    taken += takeAll(fd)
    return taken.length
  }
  await expect.poll(take, { timeout: 10_000 }).toBe(300_000)
  expect(taken).toBe(lines.join(''))
})

it('a reader that takes nothing holds up the last lines for a second or so', () => {
  const stream = openLogStream({ fd: openPipe('unread') })
  for (let i = 0; i < 1_000; i += 1) stream.write(`${'x'.repeat(999)}\n`)
  const beganMs = performance.now()
  stream.flushSync()
  expect(performance.now() - beganMs).toBeLessThan(3_000)
})

it('a reader that takes nothing costs a bounded memory, and gets what waits as soon as it reads', async () => {
  const fd = openPipe('full')
  const stream = openLogStream({ fd, waitingBytesMax: 100_000 })
  for (let i = 0; i < 200; i += 1) stream.write('x'.repeat(1_000))
  let taken = 0
  const take = () => {
    taken += takeAll(fd).length
    return taken
  }
  await expect.poll(take, { timeout: 10_000 }).toBe(100_000)
})
