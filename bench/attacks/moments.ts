// Attacks on what a pool's window comes to: depth that is there for a moment, at a price that is there for a moment, one's own pool
// that outweighs the honest one, and a trade that makes a quiet pool look used.
import {
  buyCall,
  createCalls,
  enterCall,
  type LabPool,
  leaveCalls,
  moveCall,
  type Position,
  runData,
  toPosition,
  toRange,
  toSqrtX96,
  washCall,
} from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const [minute, hour] = [60, 3_600]
/** Half of the window of the lab's network, in seconds, and a little less. */
const nearlyHalf = 117

/** A pool of the attacker's that traded once, is empty, and an hour old. */
async function openEmpty(stage: Stage, pool: LabPool): Promise<void> {
  const fair = stage.fairPrice(pool)
  const root = toSqrtX96(pool, fair)
  const small = toPosition(pool, toRange(pool, fair * 0.9, fair / 0.9), { sqrtX96: root, base: 10 / fair, quote: 10 })
  const trade = washCall(stage.kit, pool, { quote: 1, times: 1 })
  await stage.act(...createCalls(pool, root), enterCall(stage.kit, small), trade, ...leaveCalls(stage.kit, small))
  await stage.skipTo(stage.seconds() + hour + 2 * minute)
}

async function wait(stage: Stage, untilSeconds: number): Promise<void> {
  while (stage.seconds() < untilSeconds) await stage.block([], Math.min(3, untilSeconds - stage.seconds()))
}

/** A block with these calls of the attacker, so many seconds after the last one. */
export const actIn = (stage: Stage, calls: Parameters<typeof runData>[0], seconds: number) =>
  stage.block([{ from: stage.attacker, to: stage.kit, data: runData(calls) }], seconds)

const slotBy = 1_000
const slotUsd = 400_000
const boughtUsd = 300

const slot: Attack = {
  name: 'slot',
  about:
    "the attacker's own pool of WEMB is empty and low for 119 s, deep at 1,000 times the price for 2 s, empty and high for 119 s; then KSTL is bought for $300 in WEMB",
  targets: ['KSTL', 'WEMB'],
  prepare: async (stage) => {
    await stage.fund('USDC', 800_000)
    await stage.fund('WEMB', 300)
    await openEmpty(stage, stage.pool('WEMB', 'USDC', 10_000))
  },
  play: async (stage) => {
    const pool = stage.pool('WEMB', 'USDC', 10_000)
    const fair = stage.fairPrice(pool)
    const high = fair * slotBy
    const root = toSqrtX96(pool, high)
    const sides = { base: (slotUsd * 0.7) / high, quote: slotUsd * 0.7 }
    const deep = toPosition(pool, toRange(pool, high * 0.975, high / 0.975), { sqrtX96: root, ...sides })
    await stage.act(moveCall(stage.kit, pool, toSqrtX96(pool, fair * 0.3)))
    await wait(stage, stage.seconds() + nearlyHalf)
    await actIn(stage, [moveCall(stage.kit, pool, root), enterCall(stage.kit, deep)], 2)
    await actIn(stage, [...leaveCalls(stage.kit, deep), moveCall(stage.kit, pool, toSqrtX96(pool, high * 3))], 2)
    await wait(stage, stage.seconds() + nearlyHalf)
    const buy = buyCall(stage.kit, stage.pool('KSTL', 'WEMB', 10_000), boughtUsd / (stage.honest.usdOf('WEMB') ?? 1))
    await actIn(stage, [buy], 2)
    for (let i = 0; i < 3; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

const parkedWhole = 400_000_000

const junkTvl: Attack = {
  name: 'junk-tvl',
  about: `${parkedWhole.toLocaleString('en-US')} of the attacker's own tokens parked in a pool where $150 on each side make one token worth a dollar`,
  targets: ['USDC'],
  prepare: async (stage) => {
    await stage.fund('USDC', 1_000)
    await stage.makeToken('DevToken', 'JUNK', undefined)
  },
  play: async (stage) => {
    const pool = stage.pool('JUNK', 'USDC', 3_000)
    const root = toSqrtX96(pool, 1)
    const near = toPosition(pool, toRange(pool, 0.97, 1 / 0.97), { sqrtX96: root, base: 150, quote: 150 })
    const far = toPosition(pool, toRange(pool, 2, 100), { sqrtX96: root, base: parkedWhole, quote: 0 })
    const trade = washCall(stage.kit, pool, { quote: 1, times: 1 })
    await stage.act(...createCalls(pool, root), enterCall(stage.kit, near), enterCall(stage.kit, far), trade)
    for (let i = 0; i < 5; i += 1) await stage.block()
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, near), ...leaveCalls(stage.kit, far))
  },
}

const outweighedBy = 1.04
const arbitrageEvery = 10 * minute

const overweigh: Attack = {
  name: 'overweigh',
  about:
    "the attacker's own pool of VERD is an hour old and twenty times as deep as the honest one. For two hours it stays 4 % above the honest price, though every ten minutes a trader takes advantage of it",
  targets: ['VERD'],
  prepare: async (stage) => {
    await stage.fund('USDC', 100_000)
    await stage.fund('VERD', 40_000)
    await stage.fund('VERD', 60_000, stage.traderKit)
    await stage.fund('USDC', 50_000, stage.traderKit)
    // The honest pool has traded, too.
    const trade = washCall(stage.traderKit, stage.pool('VERD', 'USDC', 10_000), { quote: 1, times: 1 })
    await stage.block([{ from: stage.trader, to: stage.traderKit, data: runData([trade]) }])
    await openEmpty(stage, stage.pool('VERD', 'USDC', 3_000))
  },
  play: async (stage) => {
    const pool = stage.pool('VERD', 'USDC', 3_000)
    const price = stage.fairPrice(pool) * outweighedBy
    const root = toSqrtX96(pool, price)
    const range = toRange(pool, price / outweighedBy ** 0.6, price * outweighedBy ** 0.6)
    const deep: Position = toPosition(pool, range, { sqrtX96: root, base: 3_600, quote: 7_000 })
    const open = [moveCall(stage.kit, pool, root), enterCall(stage.kit, deep)]
    await stage.act(...open)
    const endSeconds = stage.seconds() + 2 * hour + 20 * minute
    for (let next = stage.seconds() + arbitrageEvery; stage.seconds() < endSeconds; await stage.block([], 30)) {
      if (stage.seconds() < next) continue
      next += arbitrageEvery
      const take = moveCall(stage.traderKit, pool, toSqrtX96(pool, stage.fairPrice(pool) * 1.003))
      await stage.block([{ from: stage.trader, to: stage.traderKit, data: runData([take]) }], 3)
      await stage.act(...leaveCalls(stage.kit, deep), ...open)
    }
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, deep))
  },
}

const oneTrade: Attack = {
  name: 'one-trade',
  about:
    'nobody has traded VERD before; someone sells it once for a dollar and buys it back, and no trade follows for two hours and twenty minutes',
  targets: ['VERD'],
  prepare: async (stage) => {
    await stage.fund('USDC', 10)
    await stage.fund('VERD', 10)
  },
  play: async (stage) => {
    await stage.act(washCall(stage.kit, stage.pool('VERD', 'USDC', 10_000), { quote: 1, times: 1 }))
    const endSeconds = stage.seconds() + 2 * hour + 20 * minute
    while (stage.seconds() < endSeconds) await stage.block([], minute)
    await stage.checkDollars()
  },
}

/** Attacks by a price of one moment. */
export const moments: readonly Attack[] = [slot, junkTvl, overweigh, oneTrade]
