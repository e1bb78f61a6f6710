import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

// Each run is a process of its own, as it changes its own environment and does its last work when it ends.

const module = resolve(import.meta.dirname, 'useMemory.ts')

let memory: string
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'chainboard-memory-'))
})
afterEach(() => rmSync(memory, { recursive: true, force: true }))

/** Runs `script` after the call. @returns the lines that it wrote */
function run(
  script: string,
  { folder = memory, room = 4e9, env = {} }: { folder?: string; room?: number; env?: { TMPDIR?: string } } = {},
): string[] {
  const text = `
    import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { useMemory } from '${module}'
    const folder = useMemory('${folder}', () => ${room})
    ${script}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { env, encoding: 'utf8' })
  return stdout.trim().split('\n')
}

it('gives a run and its children a folder in memory, which other users may pass through and not list, and takes it away at the end', () => {
  const [folder, inside, mode, others] = run(`
    writeFileSync(join(mkdtempSync(join(tmpdir(), 'a-test-')), 'file'), 'x')
    console.log([folder, tmpdir(), (statSync(folder).mode & 0o777).toString(8), process.env.TMPDIR].join('\\n'))`)
  expect(folder?.startsWith(join(memory, 'chainboard-run-'))).toBe(true)
  expect([inside, mode, others]).toEqual([folder, '711', folder])
  expect(readdirSync(memory)).toEqual([])
})

it('takes it away after an error, too', () => {
  run("throw new Error('a test fails')")
  expect(readdirSync(memory)).toEqual([])
})

it.each<[string, Parameters<typeof run>[1] & object]>([
  ['the memory has too little room', { room: 1e9 }],
  ['the machine has no such folder', { folder: '/not-there' }],
  ['a folder is set', { env: { TMPDIR: '/var/tmp' } }],
])('leaves things where they were when %s', (_, options) => {
  const [folder, inside] = run('console.log([String(folder), tmpdir()].join("\\n"))', options)
  expect([folder, inside]).toEqual(['undefined', options.env?.TMPDIR ?? '/tmp'])
  expect(readdirSync(memory)).toEqual([])
})

it('takes away what a killed run left, and nothing of one that still runs or of others', () => {
  run("writeFileSync(join(folder, 'big'), 'x'); process.kill(process.pid, 'SIGKILL')")
  expect(readdirSync(memory)).toHaveLength(1)
  const others = [`chainboard-run-${process.pid}-abcdef`, 'chainboard-run-x', 'not-ours-999999999-abcdef']
  for (const name of others) mkdirSync(join(memory, name))
  writeFileSync(join(memory, 'a file'), '')
  run('', { room: 0 })
  expect(readdirSync(memory).sort()).toEqual([...others, 'a file'].sort())
})
