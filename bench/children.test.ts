import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDisk, removeFolder } from './children.ts'

const script = (last: string) => `
  import { endEverything, makeDisk } from ${JSON.stringify(join(import.meta.dirname, 'children.ts'))}
  process.on('SIGTERM', async () => { ${last} })
  console.log(makeDisk('test-disk', 1))
  setInterval(() => undefined, 1_000)`

function mayMount(): boolean {
  try {
    removeFolder(makeDisk('test-disk', 1))
    return true
  } catch {
    return false
  }
}

it.skipIf(!mayMount()).each(['await endEverything(); process.exit()', 'process.exit(130)'])(
  'a disk of a benchmark that is stopped goes with it: %s',
  async (last) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(last)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const folder = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
    expect(readFileSync('/proc/mounts', 'utf8')).toContain(folder)
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(folder)
    expect(existsSync(folder)).toBe(false)
  },
)
