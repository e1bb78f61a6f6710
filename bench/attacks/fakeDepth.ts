// Attacks that open pools whose liquidity does not trade.
import {
  type Call,
  createCalls,
  enterCall,
  flashCall,
  type LabPool,
  leaveCalls,
  moveCall,
  type Position,
  runData,
  snapPrice,
  spacingOf,
  toPosition,
  toRange,
  toSqrtX96,
  washCall,
} from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const targets = ['BSLT', 'WEMB']
/** US dollars for BSLT in a pool that the attacker opens. */
const fakeUsd = 100
const sliverWhole = 240
const parkedUsd = 85_000
const [minute, hour] = [60, 3_600]

/** A sliver of the base at the pool's own false price, and quote tokens parked far under the honest one. */
function planFake(stage: Stage, pool: LabPool): { open: Call[]; positions: Position[]; trade: Call } {
  const quoteUsd = stage.honest.usdOf(pool.quote.symbol) ?? 1
  const fair = stage.fairPrice(pool)
  const { tick, sqrtX96 } = snapPrice(pool, fakeUsd / quoteUsd)
  const parkedQuote = parkedUsd / quoteUsd
  const sliver = { tickLower: tick, tickUpper: tick + spacingOf(pool) }
  const positions = [
    toPosition(pool, sliver, { sqrtX96, base: sliverWhole, quote: 0 }),
    toPosition(pool, toRange(pool, fair * 0.34, fair * 0.61), { sqrtX96, base: 0, quote: parkedQuote }),
  ]
  const open = [...createCalls(pool, sqrtX96), ...positions.map((position) => enterCall(stage.kit, position))]
  // Buys for about a dollar.
  return { open, positions, trade: moveCall(stage.kit, pool, sqrtX96 + sqrtX96 / 8_000_000n) }
}

async function fundFake(stage: Stage): Promise<void> {
  await stage.fund('USDC', 200_000)
  await stage.fund('WEMB', 200)
  await stage.fund('BSLT', 2_000)
}

/** Opens the pools and waits until they are older than an hour, traded from time to time. */
async function openAndWait(stage: Stage, pools: readonly LabPool[]): Promise<void> {
  const plans = pools.map((pool) => planFake(stage, pool))
  await stage.act(...plans.flatMap(({ open }) => open))
  await stage.act(...plans.map(({ trade }) => trade))
  for (let i = 0; i < 5; i += 1) await stage.block()
  await stage.skipTo(stage.seconds() + hour + minute)
  for (let i = 0; i < 15; i += 1) await stage.block()
  await stage.checkDollars()
  await stage.act(...plans.flatMap(({ positions }) => positions.flatMap((position) => leaveCalls(stage.kit, position))))
}

const fakeDepthAlone: Attack = {
  name: 'fake-depth',
  about: 'BSLT/USDC at an unused fee tier at $100, liquidity on one side only, for over an hour',
  targets,
  prepare: fundFake,
  play: (stage) => openAndWait(stage, [stage.pool('BSLT', 'USDC', 3_000)]),
}

const twoFakePools: Attack = {
  name: 'fake-depth-twice',
  about: 'the same in two pools that agree, against USDC and against WEMB',
  targets,
  prepare: fundFake,
  play: (stage) => openAndWait(stage, [stage.pool('BSLT', 'USDC', 3_000), stage.pool('BSLT', 'WEMB', 500)]),
}

const fakeDepthByLoan: Attack = {
  name: 'fake-depth-by-loan',
  about:
    'the same pool opened and emptied in one transaction with a flash loan, as an hour begins, with a first pool of a junk token',
  targets,
  prepare: async (stage) => {
    await stage.fund('BSLT', 300)
    await stage.fund('USDC', 60)
    await stage.makeToken('DevToken', 'JUNK', undefined)
  },
  play: async (stage) => {
    const fake = stage.pool('BSLT', 'USDC', 3_000)
    const junk = stage.pool('JUNK', 'USDC', 3_000)
    const plan = planFake(stage, fake)
    const junkRoot = toSqrtX96(junk, 1)
    const junkPosition = toPosition(junk, toRange(junk, 0.5, 2), { sqrtX96: junkRoot, base: 10_000, quote: 5_000 })
    const leave = [...plan.positions, junkPosition].flatMap((position) => leaveCalls(stage.kit, position))
    const inside = [...plan.open, plan.trade, ...createCalls(junk, junkRoot), enterCall(stage.kit, junkPosition), ...leave]
    await stage.skipTo(stage.seconds() - (stage.seconds() % hour) + hour - 1)
    await stage.act(flashCall(stage.kit, stage.pool('WEMB', 'USDC', 500), 95_000, inside))
    for (let i = 0; i < 5; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

const deepUsd = 100_000
const deepBy = 1.5

/** Real liquidity on both sides of a price. */
function planDeep(stage: Stage, pool: LabPool, price: number): { root: bigint; position: Position } {
  const root = toSqrtX96(pool, price)
  const sides = { base: deepUsd / 2 / (stage.honest.usdOf('BSLT') ?? 1), quote: deepUsd / 2 }
  return { root, position: toPosition(pool, toRange(pool, price * 0.95, price / 0.95), { sqrtX96: root, ...sides }) }
}

const deepPool: Attack = {
  name: 'own-deep-pool',
  about:
    'the attacker owns the deepest pool of BSLT, an hour old, and moves its liquidity and price up by half until an honest trader takes it',
  targets,
  prepare: async (stage) => {
    await stage.fund('USDC', 1_000_000)
    await stage.fund('BSLT', 1_000_000)
    await stage.fund('BSLT', 1_000_000, stage.traderKit)
    await stage.fund('USDC', 1_000_000, stage.traderKit)
  },
  play: async (stage) => {
    const pool = stage.pool('BSLT', 'USDC', 3_000)
    const fair = stage.fairPrice(pool)
    const { root, position } = planDeep(stage, pool, fair)
    await stage.act(
      ...createCalls(pool, root),
      enterCall(stage.kit, position),
      washCall(stage.kit, pool, { quote: 10, times: 1 }),
    )
    await stage.skipTo(stage.seconds() + hour + minute)
    for (let i = 0; i < 5; i += 1) await stage.block()
    // Without liquidity the price moves for nothing.
    const high = planDeep(stage, pool, fair * deepBy)
    await stage.act(...leaveCalls(stage.kit, position), moveCall(stage.kit, pool, high.root), enterCall(stage.kit, high.position))
    await stage.checkDollars()
    const back = moveCall(stage.traderKit, pool, toSqrtX96(pool, stage.fairPrice(pool)))
    await stage.block([{ from: stage.trader, to: stage.traderKit, data: runData([back]) }])
    await stage.act(...leaveCalls(stage.kit, high.position))
  },
}

const quoteTokens = ['OWNA', 'OWNB']
const falselyBy = 10

/** Two tokens of its own that are priced by pools of $50,000, and pools of BSLT against them in which it says what it likes. */
const ownQuotes: Attack = {
  name: 'own-quotes',
  about: `for over an hour, BSLT has ten times its price in four pools against ${quoteTokens.join(' and ')}, two tokens of the attacker with $50,000 behind each`,
  targets,
  prepare: async (stage) => {
    for (const symbol of quoteTokens) await stage.makeToken('DevToken', symbol, 1)
    await stage.fund('USDC', 400_000)
    await stage.fund('BSLT', 400_000)
  },
  play: async (stage) => {
    const doors = quoteTokens.map((symbol) => planAround(stage, stage.pool(symbol, 'USDC', 500), { price: 1, usd: deepUsd / 2 }))
    const falsePrice = (stage.honest.usdOf('BSLT') ?? 1) * falselyBy
    const fakes = quoteTokens.flatMap((symbol) =>
      [500, 3_000].map((fee) => planAround(stage, stage.pool('BSLT', symbol, fee), { price: falsePrice, usd: deepUsd / 2 })),
    )
    const plans = [...doors, ...fakes]
    for (const { open } of plans) await stage.act(...open)
    await stage.skipTo(stage.seconds() + hour + minute)
    for (let i = 0; i < 15; i += 1) await stage.block()
    await stage.checkDollars()
    await stage.act(...plans.flatMap(({ position }) => leaveCalls(stage.kit, position)))
  },
}

/** A pool of the attacker's with liquidity on both sides, traded once. The base is worth what the pool says. */
function planAround(stage: Stage, pool: LabPool, { price, usd }: { price: number; usd: number }) {
  const root = toSqrtX96(pool, price)
  const sides = { base: usd / 2 / price, quote: usd / 2 }
  const position = toPosition(pool, toRange(pool, price * 0.95, price / 0.95), { sqrtX96: root, ...sides })
  const trade = washCall(stage.kit, pool, { quote: 10, times: 1 })
  return { position, open: [...createCalls(pool, root), enterCall(stage.kit, position), trade] }
}

/** Attacks by pools that pretend depth. */
export const fakeDepth: readonly Attack[] = [fakeDepthAlone, fakeDepthByLoan, twoFakePools, deepPool, ownQuotes]
