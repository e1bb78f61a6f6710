import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readLogo } from './readLogo.ts'

const folder = mkdtempSync(join(tmpdir(), 'chainboard-logos-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a logo is a file: a pipe that nobody writes to, a folder, a larger file and none are no logos', async () => {
  const [logo, pipe] = [join(folder, 'a.svg'), join(folder, 'pipe.svg')]
  writeFileSync(logo, '<svg/>')
  execFileSync('mkfifo', [pipe])
  const read = async (path: string, bytesMax = 6) => (await readLogo(path, bytesMax))?.toString()
  expect(await read(logo)).toBe('<svg/>')
  expect(await Promise.all([read(pipe), read(folder), read(join(folder, 'none.svg')), read(logo, 5)])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
