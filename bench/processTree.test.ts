import { spawn } from 'node:child_process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchTree } from './processTree.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const burning = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  process.on('exit', () => child.kill('SIGKILL'))
  process.on('SIGTERM', () => process.exit())
  process.kept = Buffer.alloc(100 * 2 ** 20, 1)
  process.stdout.write('started')
  setInterval(() => {}, 1000)`

it.skipIf(process.platform !== 'linux')('adds up the time of a process and of its children, and the most memory', async () => {
  const parent = spawn(process.execPath, ['-e', burning], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGTERM'))
  await new Promise((started) => parent.stdout.once('data', started))
  const watch = watchTree(parent.pid ?? 0)
  let used = watch.end()
  // The child alone burns time.
  await vi.waitUntil(() => {
    used = watch.end()
    return (used?.cpuSeconds ?? 0) > 0.3
  }, patience)
  expect(used?.peakRssBytes).toBeGreaterThan(100 * 2 ** 20)
  expect(used?.peakRssBytes).toBeLessThan(4 * 2 ** 30)
})

it('knows nothing of a process that is not there', () => {
  expect(watchTree(2 ** 30).end()).toBeUndefined()
})
