import { spawn } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../testing/findProgram.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
const folder = join(stores.dir, 'devnet')
let devnet: Devnet
/** An audit of a copy whose node is not there: it asks again for half a minute, while the other tests run. */
let away: Promise<Run>
beforeAll(async () => {
  devnet = await startShortDevnet()
  const { child, full, ended } = startServerProcess(env())
  await full
  child.kill('SIGTERM')
  await ended
  cpSync(folder, join(stores.dir, 'away', 'devnet'), { recursive: true })
  away = audit(['--fresh'], { RPC_URL: 'http://127.0.0.1:1', DATA_DIR: join(stores.dir, 'away') })
})
afterAll(() => devnet.stop())

const env = () => ({ RPC_URL: devnet.rpcUrl, DATA_DIR: stores.dir, LOG_LEVEL: 'silent', NETWORK: 'devnet' })

type Run = { readonly code: number | null; readonly out: string; readonly err: string }

function audit(args: readonly string[] = [], other: Readonly<Record<string, string>> = {}): Promise<Run> {
  const program = findProgram('cli/audit')
  const child = spawn(process.execPath, [program.script, ...args], {
    env: { ...program.env, ...env(), ...other },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}

/** Changes the stored index behind its back, audits, and changes it back. */
async function tampered(change: (db: DatabaseSync) => void): Promise<Run> {
  const db = new DatabaseSync(join(folder, 'chainboard.db'))
  try {
    db.exec('create temp table kept as select * from swaps')
    change(db)
    const run = await audit()
    db.exec('delete from swaps; insert into swaps select * from kept')
    return run
  } finally {
    db.close()
  }
}

describe('npm run audit', () => {
  it('is equal with an honest index, and its checksums are the same however the ranges were cut', async () => {
    const whole = await audit()
    expect(whole).toMatchObject({ code: 0 })
    expect(whole.out).toMatch(/^\d{4}-\d\d-\d\d [0-9a-f]{64}\n/)
    expect(whole.out).toMatch(/Equal: blocks \d+ to \d+, \d+ events\n$/)
    const to = /blocks \d+ to (\d+)/.exec(whole.out)?.[1] as string
    expect((await audit(['--to', to, '--fresh'])).out).toBe(whole.out)
  })

  it('is equal through a node that reads the logs of named contracts only', async () => {
    const picky = await startStrangeNode(devnet.rpcUrl, {
      answer: ({ method, params }) => {
        if (method !== 'eth_getLogs' || (params[0] as { address?: unknown }).address !== undefined) return undefined
        return { error: { code: -32_701, message: 'Please specify an address in your request' } }
      },
    })
    const { code, out } = await audit(['--fresh'], { RPC_URL: picky.url })
    await picky.close()
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/, \d{3,} events\n$/) })
  })

  it('finds a swap that is missing, and one that is not as the chain has it', async () => {
    const place = `(select max(block_number) from swaps where block_number < (select block_number - 40 from sync_cursor))`
    const missing = await tampered((db) => db.exec(`delete from swaps where block_number = ${place}`))
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.out).toMatch(/Different in 1 of blocks \d+ to \d+: \d+\n$/)
    const wrong = await tampered((db) => db.exec(`update swaps set amount0 = '1' where block_number = ${place}`))
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.out.split(': ').at(-1)).toBe(missing.out.split(': ').at(-1))
    expect(await audit()).toMatchObject({ code: 0 })
  })

  it('finds a swap whose time is not that of its block, and leaves the time out of the checksums', async () => {
    const honest = await audit()
    const place = `(select max(block_number) from swaps where block_number < (select block_number - 40 from sync_cursor))`
    const early = await tampered((db) => db.exec(`update swaps set timestamp = timestamp - 1 where block_number = ${place}`))
    expect(early).toMatchObject({ code: 1 })
    expect(early.out).toMatch(/Different in 1 of blocks \d+ to \d+: \d+\n$/)
    expect(early.out.split('\n').slice(0, -2)).toEqual(honest.out.split('\n').slice(0, -2))
  })

  it('begins where everything is kept, and refuses to begin before', async () => {
    const block = '(select block_number from swaps order by block_number limit 1 offset (select count(*) / 2 from swaps))'
    const events = '(select block_number, timestamp from swaps union all select block_number, timestamp from pool_events)'
    let first = 0
    const pruned = await tampered((db) => {
      db.exec(`insert into kept_since select 'swaps', timestamp from ${events} where block_number = ${block} limit 1`)
      first = Number(
        db.prepare(`select max(block_number) + 1 as n from ${events} where timestamp < (select since from kept_since)`).get()?.[
          'n'
        ],
      )
      // Of each pool the last one stays.
      const last = `(select max(block_number * 100000 + log_index) from swaps where block_number < ${first} group by pool)`
      db.exec(`delete from swaps where block_number < ${first} and block_number * 100000 + log_index not in ${last}`)
    })
    const early = await audit(['--from', `${first - 1}`, '--fresh'])
    const db = new DatabaseSync(join(folder, 'chainboard.db'))
    db.exec('delete from kept_since')
    db.close()
    expect(pruned).toMatchObject({ code: 0 })
    expect(pruned.err).toContain(`Comparing from block ${first} on: older swaps are no longer kept`)
    expect(pruned.out).toContain(`Equal: blocks ${first} to `)
    expect(early).toMatchObject({ code: 2 })
    expect(early.err).toContain(`--from: found ${first - 1}, expected a block from ${first} on`)
  })

  it('finds a pool that has another token in the index', async () => {
    const pool = '(select address from pools order by created_block desc limit 1)'
    const wrong = await tampered((db) => db.exec(`update pools set token1 = token0 where address = ${pool}`))
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.out).toMatch(/Different in 1 of blocks \d+ to \d+: \d+\n$/)
  })

  it('resumes where it was interrupted, with the checksums of before', async () => {
    const whole = await audit()
    const [, from, to] = /blocks (\d+) to (\d+)/.exec(whole.out) as unknown as [string, string, string]
    const day = /^(\S+) (\S+)/.exec(whole.out) as unknown as [string, string, string]
    const db = new DatabaseSync(join(folder, 'chainboard.db'), { readOnly: true })
    const { identity } = db.prepare('select identity from sync_cursor').get() as { identity: string }
    db.close()
    const progress = {
      identity,
      from: Number(from),
      to: Number(to),
      next: Number(to) + 1,
      events: 7,
      days: { [day[1]]: day[2] },
      differences: [],
    }
    writeFileSync(join(folder, 'audit.json'), JSON.stringify({ ...progress, next: 'soon' }))
    expect((await audit()).err).not.toContain('Resuming')
    writeFileSync(join(folder, 'audit.json'), JSON.stringify(progress))
    const resumed = await audit()
    expect(resumed.err).toContain(`Resuming at block ${Number(to) + 1}`)
    expect(resumed.out).toContain(', 7 events')
    expect(existsSync(join(folder, 'audit.json'))).toBe(false)
  })

  it('without a node, or with arguments that are none, could not run: exit code 2, in one sentence', {
    timeout: 90_000,
  }, async () => {
    expect(await audit(['--from', 'x'])).toMatchObject({ code: 2 })
    const { code, err } = await away
    expect(code).toBe(2)
    expect(err).toContain('The audit stopped early: The node is not responding.')
  })
})
