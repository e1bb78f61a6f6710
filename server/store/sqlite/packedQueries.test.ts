import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores } from '../../testing/tempStores.ts'
import { insertSwaps, type Swap } from '../swaps.ts'
import { guardTransactions } from './guardTransactions.ts'
import { refuseWhileLocked } from './refuseWhileLocked.ts'
import type { SqliteExecutor } from './sqliteDialect.ts'
import { SqliteFault } from './sqliteFault.ts'

const stores = createTempStores()
const [high, low, never] = [`0x${'fe'.repeat(20)}`, `0x${'0a'.repeat(20)}`, `0x${'77'.repeat(20)}`] as const
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

const swap = (blockNumber: number, sender: typeof high | typeof low, amount0: bigint): Swap => ({
  ...{ kind: 'swap', blockNumber, logIndex: 0, pool: high, txHash: hash(9 - blockNumber), timestampSeconds: 10 * blockNumber },
  ...{ sender, recipient: low, amount0, amount1: 1n, sqrtPriceX96: 1n, liquidity: 1n, tick: 0 },
})

describe('queries of packed columns', () => {
  const filled = async () => {
    const store = await stores.openNew('sqlite')
    // The one that comes first has the lower id, and the higher address.
    const swaps = [swap(1, high, 5n), swap(2, low, 2n ** 200n), swap(3, high, -(2n ** 60n))]
    await store.write((tx) => insertSwaps(tx, swaps, new Map()))
    const blocks = async (query: { execute(): Promise<{ block_number: number }[]> }) =>
      (await query.execute()).map(({ block_number }) => block_number)
    return { store, blocks, all: store.read.selectFrom('swaps').select('block_number').orderBy('block_number') }
  }

  it('compare addresses, hashes and numbers by what they mean, on either side', async () => {
    const { store, blocks, all } = await filled()
    expect(await blocks(all.where('sender', '=', low))).toEqual([2])
    expect(await blocks(all.where('sender', '!=', low))).toEqual([1, 3])
    expect(await blocks(all.where('sender', 'in', [low, never]))).toEqual([2])
    expect(await blocks(all.where('sender', 'not in', [low]))).toEqual([1, 3])
    expect(await blocks(all.where('sender', '=', never))).toEqual([])
    expect(await blocks(all.where('tx_hash', '=', hash(7)))).toEqual([2])
    expect(await blocks(all.where('tx_hash', 'in', [hash(7), hash(6), hash(1)]))).toEqual([2, 3])
    expect(await blocks(all.where('amount0', '=', `${2n ** 200n}`))).toEqual([2])
    expect(await blocks(all.where('amount0', 'in', ['5', `${-(2n ** 60n)}`]))).toEqual([1, 3])
    expect(await blocks(all.where((e) => e(e.val(low), '=', e.ref('sender'))))).toEqual([2])
    // Two of one form are compared as they lie.
    expect(await blocks(all.whereRef('sender', '=', 'recipient'))).toEqual([2])
    expect(await blocks(all.whereRef('sender', '=', 'pool'))).toEqual([1, 3])
    expect(store.engine).toBe('sqlite')
  })

  it('sort by addresses as text, and by columns of other names as they are', async () => {
    const { store, blocks } = await filled()
    const bySender = store.read.selectFrom('swaps').select('block_number').orderBy('sender').orderBy('block_number', 'desc')
    expect(await blocks(bySender)).toEqual([2, 3, 1])
    expect(await blocks(store.read.selectFrom('swaps').select('block_number').orderBy('timestamp', 'desc'))).toEqual([3, 2, 1])
  })

  it('know a table by what the query calls it, also in queries within it', async () => {
    const { store, blocks } = await filled()
    const later = store.read
      .selectFrom('swaps as s')
      .select('s.block_number')
      .where('s.sender', '=', high)
      .where((e) =>
        e.exists(
          e
            .selectFrom('swaps as other')
            .select('other.block_number')
            .whereRef('other.sender', '=', 's.sender')
            .whereRef('other.block_number', '>', 's.block_number')
            .where('other.tx_hash', '=', hash(6)),
        ),
      )
    expect(await blocks(later)).toEqual([1])
  })

  it('compare with the plain columns of tables that are not packed', async () => {
    const { store, blocks } = await filled()
    await store.write(async (tx) => {
      await sql`insert into origins (tx_hash, origin, timestamp, has_liquidity) values (${hash(7)}, ${low}, 1, 0)`.execute(tx)
      await sql`insert into pool_checks (pool, block_number, checked_at) values (${low}, 1, 1)`.execute(tx)
    })
    const signed = store.read.selectFrom('swaps').innerJoin('origins', 'origins.tx_hash', 'swaps.tx_hash').select('block_number')
    expect(await blocks(signed)).toEqual([2])
    const checked = store.read
      .selectFrom('pool_checks')
      .innerJoin('swaps', 'pool_checks.pool', 'swaps.sender')
      .select('swaps.block_number')
    expect(await blocks(checked)).toEqual([2])
  })

  it('change and delete what they mean', async () => {
    const { store, blocks, all } = await filled()
    await store.write((tx) =>
      tx
        .updateTable('swaps')
        .set({ amount_usd: `${10n ** 40n}` })
        .where('sender', '=', high)
        .execute(),
    )
    const dollars = await store.read.selectFrom('swaps').select('amount_usd').orderBy('block_number').execute()
    expect(dollars.map((row) => row.amount_usd)).toEqual([`${10n ** 40n}`, '0', `${10n ** 40n}`])
    await store.write((tx) => tx.deleteFrom('swaps').where('tx_hash', '=', hash(8)).execute())
    expect(await blocks(all)).toEqual([2, 3])
  })
})

/** Answers as it is told, and remembers what it was asked. */
function executor(...outcomes: readonly (SqliteFault | undefined)[]): SqliteExecutor & { readonly asked: string[] } {
  const left = [...outcomes]
  const asked: string[] = []
  return {
    asked,
    execute: async (text) => {
      asked.push(text)
      const fault = left.shift()
      if (fault) throw fault
      return { rows: [], changes: 1 }
    },
    close: async () => undefined,
  }
}

describe('a transaction that SQLite has ended by itself', () => {
  const full = new SqliteFault('disk is full', 13, false)

  it('takes no more statements until its user rolls back, and none of them is run', async () => {
    const inner = executor(undefined, full)
    const guarded = guardTransactions(inner)
    await guarded.execute('begin immediate', [])
    await expect(guarded.execute('insert 1', [])).rejects.toBe(full)
    await expect(guarded.execute('insert 2', [])).rejects.toBe(full)
    await expect(guarded.execute('commit', [])).rejects.toBe(full)
    expect(await guarded.execute('rollback', [])).toEqual({ rows: [], changes: 0 })
    await guarded.execute('insert 3', [])
    expect(inner.asked).toEqual(['begin immediate', 'insert 1', 'insert 3'])
  })

  it('is none while the transaction is still open, and outside of one', async () => {
    const still = new SqliteFault('constraint', 19, true)
    const inner = executor(undefined, still, undefined, undefined, full)
    const guarded = guardTransactions(inner)
    await guarded.execute('begin immediate', [])
    await expect(guarded.execute('insert 1', [])).rejects.toBe(still)
    await guarded.execute('insert 2', [])
    await guarded.execute('commit', [])
    await expect(guarded.execute('insert 3', [])).rejects.toBe(full)
    await guarded.execute('insert 4', [])
    expect(inner.asked).toHaveLength(6)
  })

  it('rolls back though there is nothing left to roll back', async () => {
    const guarded = guardTransactions(executor(undefined, full))
    await guarded.execute('begin immediate', [])
    expect(await guarded.execute('rollback', [])).toEqual({ rows: [], changes: 0 })
  })
})

describe('a database that another program has locked', () => {
  const busy = new SqliteFault('database is locked', 5 + 256, false)

  it('lets one transaction wait in a second, and refuses the others at once', async () => {
    let nowMs = 0
    const inner = executor(busy, undefined, busy)
    const refusing = refuseWhileLocked(inner, () => nowMs)
    const begin = () => refusing.execute('begin immediate', [])
    await expect(begin()).rejects.toBe(busy)
    nowMs = 999
    await expect(begin()).rejects.toBe(busy)
    expect(inner.asked).toHaveLength(1)
    // Reads and statements of a transaction that is open are not refused.
    await refusing.execute('select 1', [])
    nowMs = 1_000
    await expect(begin()).rejects.toBe(busy)
    expect(inner.asked).toHaveLength(3)
  })

  it('is free again with the first transaction that begins', async () => {
    let nowMs = 0
    const inner = executor(busy, undefined, undefined)
    const refusing = refuseWhileLocked(inner, () => nowMs)
    const begin = () => refusing.execute('begin immediate', [])
    await expect(begin()).rejects.toBe(busy)
    nowMs = 1_000
    await begin()
    nowMs = 1_001
    await begin()
    expect(inner.asked).toHaveLength(3)
  })
})
