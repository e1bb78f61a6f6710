import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runChecks } from './runChecks.ts'

const check = (name: string, command: string, ...args: string[]) => ({ name, kind: 'check' as const, command, args })
const script = (name: string, code: string) => check(name, process.execPath, '-e', code)

it('keeps what passes to itself, and tells of each that fails what it printed', async () => {
  const failed = await runChecks([
    script('good', 'console.log("all is well")'),
    script('bad', 'console.log("line 7"); console.error("is wrong"); process.exitCode = 3'),
    check('missing', 'chainboard-no-such-program'),
  ])
  expect(failed).toEqual([
    { name: 'bad', output: 'line 7\nis wrong\n' },
    { name: 'missing', output: expect.stringContaining('chainboard-no-such-program') },
  ])
})

it('runs all at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-checks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Each ends when the other has begun.
  const meet = (own: string, other: string) => `
    const { existsSync, writeFileSync } = require('node:fs')
    writeFileSync(${JSON.stringify(join(folder, own))}, '')
    const look = () => existsSync(${JSON.stringify(join(folder, other))}) || setTimeout(look, 10)
    look()`
  expect(await runChecks([script('first', meet('a', 'b')), script('second', meet('b', 'a'))])).toEqual([])
})
