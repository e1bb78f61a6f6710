// Attacks that trade with themselves.
import { readBalances } from './chainTools.ts'
import {
  buyCall,
  createCalls,
  enterCall,
  type LabPool,
  leaveCalls,
  moveCall,
  runData,
  sellCall,
  sendAllCall,
  toPosition,
  toRange,
  toRawAmount,
  toSqrtX96,
  washCall,
} from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const hour = 3_600
const thinUsd = 0.5
const thin = (stage: Stage) => stage.pool('THIN', 'USDC', 3_000)
const thinPosition = (pool: LabPool) =>
  toPosition(pool, toRange(pool, thinUsd / 2, thinUsd * 2), { sqrtX96: toSqrtX96(pool, thinUsd), base: 40_000, quote: 20_000 })

const washOwn: Attack = {
  name: 'wash-own-pool',
  about: '1,002 swaps by a contract, in a pool older than an hour where the attacker is the only provider',
  targets: ['THIN'],
  countsNothing: true,
  prepare: async (stage) => {
    await stage.fund('USDC', 100_000)
    await stage.makeToken('DevToken', 'THIN', thinUsd)
    const pool = thin(stage)
    const root = toSqrtX96(pool, thinUsd)
    await stage.act(
      ...createCalls(pool, root),
      enterCall(stage.kit, thinPosition(pool)),
      washCall(stage.kit, pool, { quote: 10, times: 1 }),
    )
    await stage.skipTo(stage.seconds() + hour + 120)
  },
  positions: (stage) => [thinPosition(thin(stage))],
  play: async (stage) => {
    const pool = thin(stage)
    for (let i = 0; i < 3; i += 1) await stage.act(washCall(stage.kit, pool, { quote: 6_000, times: 167 }))
    for (let i = 0; i < 10; i += 1) await stage.block()
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, thinPosition(pool)))
  },
}

const washForeign: Attack = {
  name: 'wash-foreign-pool',
  about: '200 swaps of $6,000 back and forth in QUIL/USDC, where others provide the liquidity',
  targets: ['QUIL'],
  prepare: async (stage) => {
    await stage.fund('USDC', 1_000_000)
    await stage.fund('QUIL', 1_000_000)
  },
  play: async (stage) => {
    const pool = stage.pool('QUIL', 'USDC', 500)
    for (let i = 0; i < 4; i += 1) await stage.act(washCall(stage.kit, pool, { quote: 6_000, times: 25 }))
    for (let i = 0; i < 10; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

const washByTwo: Attack = {
  name: 'wash-by-two',
  about:
    'one wallet buys QUIL and transfers it, another sells it and transfers the USDC back, 50 times, moving the price by half a percent',
  targets: ['QUIL'],
  prepare: (stage) => stage.fund('USDC', 50_000),
  play: async (stage) => {
    const pool = stage.pool('QUIL', 'USDC', 500)
    const { kit, accomplice, accompliceKit } = stage
    for (let i = 0; i < 50; i += 1) {
      const up = toSqrtX96(pool, stage.fairPrice(pool) * 1.005)
      await stage.act(moveCall(kit, pool, up), sendAllCall(kit, pool.base, accompliceKit))
      const [bought = 0n] = await readBalances(stage.rpc, [{ token: pool.base.address, account: accompliceKit }])
      const sell = [sellCall(accompliceKit, pool, bought), sendAllCall(accompliceKit, pool.quote, kit)]
      await stage.block([{ from: accomplice, to: accompliceKit, data: runData(sell) }])
    }
    await stage.checkDollars()
  },
}

const strangers = { times: 50, quoteEach: 2_000, day: 24 * hour }

const washByStrangers: Attack = {
  name: 'wash-by-strangers',
  about: `one wallet buys QUIL for $${strangers.quoteEach} and keeps it, another, which has held QUIL for over a day, sells as much in the same block; ${strangers.times} times`,
  targets: ['QUIL'],
  prepare: async (stage) => {
    const usd = strangers.times * strangers.quoteEach
    await stage.fund('USDC', 2 * usd)
    await stage.fund('QUIL', (2 * usd) / (stage.honest.usdOf('QUIL') ?? 1), stage.accompliceKit)
    await stage.skipTo(stage.seconds() + strangers.day + 600)
  },
  play: async (stage) => {
    const pool = stage.pool('QUIL', 'USDC', 500)
    const { attacker, kit, accomplice, accompliceKit } = stage
    for (let i = 0; i < strangers.times; i += 1) {
      const base = toRawAmount(pool.base, strangers.quoteEach / stage.fairPrice(pool))
      const buy = buyCall(kit, pool, strangers.quoteEach)
      await stage.block([
        { from: attacker, to: kit, data: runData([buy]) },
        { from: accomplice, to: accompliceKit, data: runData([sellCall(accompliceKit, pool, base)]) },
      ])
    }
    await stage.checkDollars()
  },
}

/** Attacks by trading with oneself. */
export const washes: readonly Attack[] = [washOwn, washForeign, washByTwo, washByStrangers]
