// Attacks that take an honest pool out of the price, so that a small pool of the attacker's sets it.
import { actIn } from './moments.ts'
import { createCalls, enterCall, leaveCalls, moveCall, type Position, toPosition, toRange, toSqrtX96, washCall } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const [minute, hour] = [60, 3_600]

/** As much on either side of a price in US dollars, as far from it as a part of it. */
function around(
  stage: Stage,
  { base, fee, usd, part, usdEach }: { base: string; fee: number; usd: number; part: number; usdEach: number },
): Position {
  const pool = stage.pool(base, 'USDC', fee)
  const range = toRange(pool, usd * (1 - part), usd / (1 - part))
  return toPosition(pool, range, { sqrtX96: toSqrtX96(pool, usd), base: usdEach / usd, quote: usdEach })
}

/** The attacker's pool, with a seed of liquidity and one trade, and old enough to be established. */
async function openOld(stage: Stage, seed: Position, usd: number): Promise<void> {
  const { pool } = seed
  const trade = washCall(stage.kit, pool, { quote: 0.01, times: 1 })
  await stage.act(...createCalls(pool, toSqrtX96(pool, usd)), enterCall(stage.kit, seed), trade)
  await stage.skipTo(stage.seconds() + hour + 2 * minute)
}

const swung = { base: 'LNTN', quote: 'WEMB', fee: 10_000 } as const
const swungBy = 0.125
const ownFee = 500

/** Twice the honest price, with $155 of depth. */
const dear = (stage: Stage) => {
  const usd = 2 * (stage.honest.usdOf(swung.base) ?? 0)
  return { usd, position: around(stage, { base: swung.base, fee: ownFee, usd, part: 0.05, usdEach: 400 }) }
}

const swing: Attack = {
  name: 'swing',
  about:
    'LNTN/WEMB is held 12.5 % up and 12.5 % down for 65 s each, against all traders; an old pool with $155 of depth has twice the price',
  targets: [swung.base],
  prepare: async (stage) => {
    await stage.fund('USDC', 10_000)
    await stage.fund(swung.quote, 300)
    await stage.fund(swung.base, 400_000 / (stage.honest.usdOf(swung.base) ?? 1))
    const { usd, position } = dear(stage)
    await openOld(stage, { ...position, liquidity: position.liquidity / 1_000n }, usd)
  },
  play: async (stage) => {
    const honest = stage.pool(swung.base, swung.quote, swung.fee)
    const fair = stage.fairPrice(honest)
    const to = (times: number) => moveCall(stage.kit, honest, toSqrtX96(honest, fair * times))
    const { usd, position } = dear(stage)
    await actIn(
      stage,
      [enterCall(stage.kit, position), moveCall(stage.kit, position.pool, toSqrtX96(position.pool, usd)), to(1 + swungBy)],
      2,
    )
    for (let i = 0; i < 22; i += 1) await actIn(stage, [to(1 + swungBy)], 3)
    for (let i = 0; i < 23; i += 1) await actIn(stage, [to(1 - swungBy)], 3)
    await actIn(stage, [to(1)], 2)
    for (let i = 0; i < 20; i += 1) await stage.block([], 3)
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, position))
  },
}

const bought = { base: 'BSLT', fee: 3_000 } as const

const hourOrder: Attack = {
  name: 'hour-order',
  about:
    'as an hour begins, BSLT has more depth with USDC than WEMB has ($125,000 on either side for three minutes); then the price in that pool rises by 20 %',
  targets: [bought.base],
  prepare: async (stage) => {
    await stage.fund('USDC', 200_000)
    await stage.fund(bought.base, 200_000 / (stage.honest.usdOf(bought.base) ?? 1))
    const usd = stage.fairPrice(stage.pool(bought.base, 'USDC', bought.fee))
    await openOld(stage, around(stage, { ...bought, usd, part: 0.5, usdEach: 10 }), usd)
  },
  play: async (stage) => {
    const turn = stage.seconds() - (stage.seconds() % hour) + hour
    await stage.skipTo(turn - 170)
    const pool = stage.pool(bought.base, 'USDC', bought.fee)
    const usd = stage.fairPrice(pool)
    const deep = around(stage, { ...bought, usd, part: 0.03, usdEach: 125_000 })
    await actIn(stage, [moveCall(stage.kit, pool, toSqrtX96(pool, usd)), enterCall(stage.kit, deep)], 2)
    while (stage.seconds() < turn + 10) await stage.block([], 3)
    const high = stage.fairPrice(pool) * 1.2
    const left = around(stage, { ...bought, usd: high, part: 0.05, usdEach: 15_000 })
    await actIn(
      stage,
      [...leaveCalls(stage.kit, deep), moveCall(stage.kit, pool, toSqrtX96(pool, high)), enterCall(stage.kit, left)],
      2,
    )
    for (let i = 0; i < 80; i += 1) await stage.block([], 3)
    await stage.checkDollars()
    await stage.act(...leaveCalls(stage.kit, left))
  },
}

/** Attacks by the order and the times of trades. */
export const motion: readonly Attack[] = [swing, hourOrder]
