import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { readConfig } from '../config.ts'
import { findFirstRevaluable, setKeptSince } from '../store/keptSince.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { toStoreEnv } from '../testing/storeEnv.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { startTool } from '../testing/toolProcess.ts'
import { toScope } from '../toScope.ts'

const stores = createTempStores()
const devnet = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../networks/devnet.json'), 'utf8'))

/** The devnet's file, of the exchange in memory. */
function writeNetworks(): string {
  const folder = join(stores.dir, 'networks')
  mkdirSync(join(folder, 'lists', 'mine'), { recursive: true })
  const { boost: _boost, ...file } = devnet
  const mine = {
    ...file,
    dex: { ...file.dex, factory },
    usdc: { address: tokens[0], decimals: 18 },
    otherStables: [tokens[2]],
    wrappedNative: { address: tokens[1], symbol: 'W' },
    prices: { sources: ['index'], depthFloorUsd: 0 },
  }
  writeFileSync(join(folder, 'mine.json'), JSON.stringify(mine))
  writeFileSync(join(folder, 'lists', 'mine', 'assets.json'), '[]')
  writeFileSync(join(folder, 'lists', 'mine', 'highlighted.json'), '[]')
  return folder
}

function newChain(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 40, seed: 4, secondsLater: 3_000 })
  return chain
}

/** A folder of data with an index in it, whose node does not answer. */
async function indexed(engine: Store['engine'], name: string) {
  const location = await stores.locate(engine)
  const folder = join(stores.dir, name)
  mkdirSync(join(folder, 'mine'), { recursive: true })
  const url = toStoreEnv(location)
  const networks = writeNetworks()
  const env = {
    NETWORK: 'mine',
    NETWORKS_DIR: networks,
    DATA_DIR: folder,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
    ...url,
  }
  const config = readConfig(env, networks)
  const open = () => stores.open(config.store)
  const store = await open()
  const chain = newChain()
  const follower = follow(chain, store, { factory, scope: toScope(config) })
  await untilSynced(chain, follower)
  await follower.stop()
  const wanted = await dumpIndex(store)
  return { env, store, wanted, open }
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const tool = startTool('revalue', args, env)
  return { code: await tool.ended, output: tool.output() }
}

describe.each(engines)('npm run revalue (%s)', (engine) => {
  it('does the work itself without a server, and the whole of it', { timeout: 120_000 }, async () => {
    const { env, store, wanted, open } = await indexed(engine, `alone-${engine}`)
    await falsifyDollars(store, 10)
    await store.close()
    const named = await run(['--from', '12', '--to', '20'], env)
    expect(named.output).toContain('Revaluing blocks 10 to 41.\nThis includes blocks after 20,')
    expect(named.output).toContain('Done: all blocks are revalued.')
    expect(named.code).toBe(0)
    const after = await open()
    expect(await dumpIndex(after)).toEqual(wanted)
    const again = await run([], env)
    expect([again.code, again.output]).toEqual([0, "All stored dollars already use this version's method: nothing to do.\n"])
    await after.write((tx) => tx.insertInto('old_dollars').values({ from_block: 3, to_block: 9, method: 1 }).execute())
    await after.close()
    const old = await run([], env)
    expect([old.code, old.output]).toEqual([0, expect.stringContaining('Revaluing blocks 3 to 41.')])
  })

  it('has a running server do it', { timeout: 120_000 }, async () => {
    const { env, store, wanted } = await indexed(engine, `beside-${engine}`)
    await store.write((tx) => tx.insertInto('old_dollars').values({ from_block: 0, to_block: 9, method: 1 }).execute())
    const server = startServerProcess(env)
    await server.listening
    const sentence = 'The stored dollars of blocks 0 to 9 use an older method than this version'
    await vi.waitUntil(() => server.output().includes(sentence), { timeout: 60_000, interval: 5 })
    await falsifyDollars(store, 30)
    const { code, output } = await run([], env)
    expect(output).toContain('Revaluing blocks 0 to 41.\nA server is running on this data: it does the work.\n')
    expect(output).toContain('Done: all blocks are revalued.')
    expect(code).toBe(0)
    expect(await dumpIndex(store)).toEqual(wanted)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it('says what is wrong with its words', { timeout: 120_000 }, async () => {
    const { env, wanted, store, open } = await indexed(engine, `words-${engine}`)
    await store.close()
    const cases = [
      [['--from', 'ten'], '--from: found "ten", expected a block number'],
      [['--from', '99'], '--from: found 99, expected a block from 0 to 41, the newest one in the index'],
      [['--from', '9', '--to', '4'], '--to: found 4, expected a block from 9 to 41, the newest one in the index'],
      [['--until', '4'], "Unknown option '--until'"],
    ] as const
    for (const [args, text] of cases) {
      const { code, output } = await run(args, env)
      expect(output).toContain(text)
      expect(output).toContain('Usage: npm run revalue')
      expect(code).toBe(2)
    }
    const pruned = await open()
    const at = wanted.swaps.map(({ timestamp }) => timestamp).sort((a, b) => a - b)[20] as number
    await pruned.write((tx) => setKeptSince(tx, 'swaps', at))
    const first = await findFirstRevaluable(pruned.read)
    await pruned.write((tx) =>
      tx
        .insertInto('old_dollars')
        .values({ from_block: 0, to_block: first - 1, method: 1 })
        .execute(),
    )
    await pruned.close()
    const gone = await run(['--from', `${first - 1}`], env)
    expect(gone.output).toContain(
      `--from: found ${first - 1}, expected a block from ${first} on: the events of blocks before it are no longer kept ("retention" of the network file)`,
    )
    expect(gone.code).toBe(2)
    const nothing = await run([], env)
    expect([nothing.code, nothing.output]).toEqual([0, "All stored dollars already use this version's method: nothing to do.\n"])
    const other = { ...env, NETWORKS_DIR: resolve(import.meta.dirname, '../../networks'), NETWORK: 'devnet' }
    const { code, output } = await run([], other)
    expect(output).toMatch(/^Nothing is stored at .* yet|^The index was made with other settings/)
    expect(code).toBe(1)
    expect(wanted.oldDollars).toEqual([])
  })
})
