// Attacks on organic volume: what costs nothing, or takes others' away.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, numberToHex } from 'viem'
import { makers } from '../../devnet/addresses.ts'
import {
  buyCall,
  type Call,
  createCalls,
  enterCall,
  type LabPool,
  leaveCalls,
  openData,
  type Position,
  runData,
  sellCall,
  toPosition,
  toRange,
  toRawAmount,
  toSqrtX96,
  transferCall,
  washCall,
} from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const coin = 10n ** 18n
/** The server reads who signed what in turns, and transfers a minute after a new wallet traded. */
const turns = { count: 8, everyMs: 12_000 }

/** Blocks at the pace of the clock, until the server knows what was done. */
async function waitForTurns(stage: Stage): Promise<void> {
  for (let i = 0; i < turns.count; i += 1) {
    await sleep(turns.everyMs)
    await stage.block()
  }
}

/** Wallets that nothing links with each other, with a coin of gas each. */
async function openWallets({ rpc }: Stage, count: number): Promise<Address[]> {
  const wallets = Array.from(
    { length: count },
    (_, i): Address => `0x${(0xabcdef0000n + BigInt(i)).toString(16).padStart(40, '0')}`,
  )
  await rpc.batch(wallets.map((wallet) => ['anvil_impersonateAccount', [wallet]]))
  await rpc.batch(wallets.map((wallet) => ['anvil_setBalance', [wallet, numberToHex(coin)]]))
  return wallets
}

const openKit = ({ attacker, kit, block }: Stage) => block([{ from: attacker, to: kit, data: openData() }])
/** The same calls through the kit, each wallet for itself. */
const byEach = ({ kit }: Stage, wallets: readonly Address[], calls: readonly Call[]) =>
  wallets.map((from) => ({ from, to: kit, data: runData(calls) }))

type Around = { readonly price: number; readonly base: number; readonly quote: number }

function around(pool: LabPool, { price, base, quote }: Around): Position {
  return toPosition(pool, toRange(pool, price * 0.95, price / 0.95), { sqrtX96: toSqrtX96(pool, price), base, quote })
}

/** Creates a pool, and provides in it by so many wallets. */
async function provideBy(stage: Stage, wallets: readonly Address[], { pool, price, ...amounts }: Around & { pool: LabPool }) {
  await stage.act(...createCalls(pool, toSqrtX96(pool, price)))
  await stage.block(byEach(stage, wallets, [enterCall(stage.kit, around(pool, { price, ...amounts }))]))
}

/** A pool with USDC that gives a token of the attacker's a price of a dollar. */
async function openDoor(stage: Stage, symbol: string): Promise<void> {
  const pool = stage.pool(symbol, 'USDC', 3_000)
  const position = around(pool, { price: 1, base: 200, quote: 200 })
  await stage.act(
    ...createCalls(pool, toSqrtX96(pool, 1)),
    enterCall(stage.kit, position),
    washCall(stage.kit, pool, { quote: 1, times: 1 }),
  )
}

const junkNames = ['JNKA', 'JNKB', 'JNKC', 'JNKD', 'JNKE', 'JNKF', 'JNKG', 'JNKH']
const honestSides = ['QUIL', 'HRBR']
const junkPrice = 1_000_000
/** The first that is token1 of its pools with the honest ones: by that one's price such a swap was valued. */
const findJunk = (stage: Stage) =>
  junkNames.find((name) => honestSides.every((side) => BigInt(stage.token(name).address) > BigInt(stage.token(side).address))) ??
  ''

const junkSide: Attack = {
  name: 'junk-side',
  about: `QUIL and HRBR are bought with a million and 100,000 of a token that costs a dollar in a $400 pool with USDC`,
  targets: honestSides,
  unlisted: junkNames,
  prepare: async (stage) => {
    await stage.fund('USDC', 2_000)
    for (const side of honestSides) await stage.fund(side, 50)
    for (const name of junkNames) await stage.makeToken('DevToken', name, undefined)
    await openDoor(stage, findJunk(stage))
    await openKit(stage)
    const wallets = await openWallets(stage, 5)
    for (const [i, base] of [8, 0.4].entries()) {
      const pool = stage.pool(honestSides[i] ?? '', findJunk(stage), 500)
      await provideBy(stage, wallets, { pool, price: junkPrice, base, quote: base * junkPrice })
    }
  },
  play: async (stage) => {
    const [trader] = (await openWallets(stage, 6)).slice(-1)
    if (!trader) return
    const calls = [1_000_000, 100_000].map((junk, i) =>
      buyCall(stage.kit, stage.pool(honestSides[i] ?? '', findJunk(stage), 500), junk),
    )
    await stage.block(byEach(stage, [trader], calls))
    await waitForTurns(stage)
  },
}

const junkOrganic: Attack = {
  name: 'junk-organic',
  about:
    'a million of one of the attacker’s tokens is sold for another, in a pool with five wallets as providers; one of the tokens is listed',
  targets: ['JNKA'],
  unlisted: ['JNKB'],
  countsNothing: true,
  prepare: async (stage) => {
    await stage.fund('USDC', 2_000)
    await stage.makeToken('DevToken', 'JNKA', 1)
    await stage.makeToken('DevToken', 'JNKB', undefined)
    for (const name of ['JNKA', 'JNKB']) await openDoor(stage, name)
    await openKit(stage)
    const pool = stage.pool('JNKA', 'JNKB', 500)
    await provideBy(stage, await openWallets(stage, 5), { pool, price: 1, base: 1e7, quote: 1e7 })
  },
  play: async (stage) => {
    const [trader] = (await openWallets(stage, 6)).slice(-1)
    if (!trader) return
    await stage.block(byEach(stage, [trader], [buyCall(stage.kit, stage.pool('JNKA', 'JNKB', 500), 1e6)]))
    await waitForTurns(stage)
  },
}

const vault = { wallets: 10, usd: 4_000, times: 30 }
const vaultPool = (stage: Stage) => stage.pool('VERD', 'USDC', 500)
/** Of one wallet, around the two dollars of VERD. */
const vaultPosition = (stage: Stage): Position => {
  const pool = vaultPool(stage)
  return toPosition(pool, toRange(pool, 1.6, 2.4), { sqrtX96: toSqrtX96(pool, 1.95), base: 1_200, quote: 2_400 })
}
const vaultWhole = (stage: Stage): Position => {
  const one = vaultPosition(stage)
  return { ...one, liquidity: one.liquidity * BigInt(vault.wallets) }
}

const sybilVault: Attack = {
  name: 'sybil-vault',
  about: `ten wallets provide liquidity in VERD/USDC, and two others trade $${vault.usd} against each other there ${vault.times} times, all through one contract`,
  targets: ['VERD'],
  prepare: async (stage) => {
    await stage.fund('USDC', 60_000)
    await stage.fund('VERD', 30_000)
    await openKit(stage)
    const pool = vaultPool(stage)
    await stage.act(...createCalls(pool, toSqrtX96(pool, stage.fairPrice(pool))))
    const wallets = await openWallets(stage, vault.wallets)
    await stage.block(byEach(stage, wallets, [enterCall(stage.kit, vaultPosition(stage))]))
  },
  positions: (stage) => [vaultWhole(stage)],
  play: async (stage) => {
    const [buyer, seller] = (await openWallets(stage, vault.wallets + 2)).slice(-2)
    if (!buyer || !seller) return
    const pool = vaultPool(stage)
    const sold = toRawAmount(pool.base, vault.usd / stage.fairPrice(pool))
    for (let i = 0; i < vault.times; i += 1)
      await stage.block([
        ...byEach(stage, [buyer], [buyCall(stage.kit, pool, vault.usd)]),
        ...byEach(stage, [seller], [sellCall(stage.kit, pool, sold)]),
      ])
    await waitForTurns(stage)
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, vaultWhole(stage)))
  },
}

const dustLinks: Attack = {
  name: 'dust-links',
  about: 'a wallet trades a dollar of WEMB and transfers a millionth of a dollar to each wallet that trades it',
  targets: ['WEMB'],
  lowersOrganic: true,
  prepare: (stage) => stage.fund('USDC', 1_000),
  play: async (stage) => {
    const usdc = stage.token('USDC')
    await stage.act(
      transferCall(usdc, stage.attacker, toRawAmount(usdc, 100)),
      buyCall(stage.kit, stage.pool('WEMB', 'USDC', 500), 1),
    )
    await stage.block(makers.map((maker) => ({ from: stage.attacker, ...transferCall(usdc, maker, 1n) })))
    await waitForTurns(stage)
  },
}

const flood = { blocks: 8, transactions: 5, times: 260, quote: 0.00001 }

const floodSwaps: Attack = {
  name: 'flood-swaps',
  about: `${(2 * flood.blocks * flood.transactions * flood.times * 2).toLocaleString('en')} tiny swaps in both pools of CNDR`,
  targets: ['CNDR'],
  lowersOrganic: true,
  prepare: async (stage) => {
    await stage.fund('WEMB', 50)
    await stage.fund('CNDR', 5_000)
    await stage.fund('USDC', 5_000)
  },
  play: async (stage) => {
    const { attacker: from, kit: to } = stage
    for (const quote of ['WEMB', 'USDC']) {
      const data = runData([washCall(to, stage.pool('CNDR', quote, 3_000), flood)])
      for (let i = 0; i < flood.blocks; i += 1)
        await stage.block(Array.from({ length: flood.transactions }, () => ({ from, to, data })))
    }
    await waitForTurns(stage)
  },
}

/** Attacks by trades that pretend volume. */
export const fakeVolume: readonly Attack[] = [junkSide, junkOrganic, sybilVault, dustLinks, floodSwaps]
