import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { forkChild } from './children.ts'
import { receive } from './receive.ts'

const loaded = Type.Object({ loaded: Type.Integer() })
const patience = { what: 'the load', msMax: 30_000, signal: new AbortController().signal }

function forkScript(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-receive-'))
  const file = join(folder, 'child.mjs')
  writeFileSync(file, script)
  const child = forkChild('the client', file)
  onTestFinished(async () => {
    await child.stop()
    rmSync(folder, { recursive: true })
  })
  return child
}

it('takes the next message of the shape, and passes over others', async () => {
  const child = forkScript(`
    process.send({ listening: 'http://127.0.0.1:1' })
    process.send({ loaded: 'many' })
    process.send({ loaded: 3 })
    process.on('message', (n) => process.send({ loaded: n }))`)
  expect(await receive(child, loaded, patience)).toEqual({ loaded: 3 })
  const next = receive(child, loaded, patience)
  child.process.send(4)
  expect(await next).toEqual({ loaded: 4 })
})

it('does not wait for a process that has ended, and says how it ended', async () => {
  const child = forkScript("console.error('out of luck'); process.exit(3)")
  await expect(receive(child, loaded, patience)).rejects.toThrow('the load: the client ended with 3\nout of luck')
})
