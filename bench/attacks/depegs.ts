// Stable coins that are none, and one that somebody wants to look like that.
import { encodeFunctionData, parseAbi } from 'viem'
import { createCalls, enterCall, type LabPool, moveCall, runData, toPosition, toRange, toSqrtX96 } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const coin = 'USDX'
/** Dollars on each side of a pool of the coin. */
const deepUsd = 200_000
const shallowUsd = 2_500
const pegEnd = 0.88
/** As a coin falls whose backing is doubted: within half an hour, a block every 20 s. */
const slide = { steps: 75, everySeconds: 20 }
const crash = { steps: 10, everySeconds: 2 }
/** Blocks at the new price. */
const settledSteps = 25
/** How far honest traders leave a pool from its price: by less than its fee, which would eat what is to gain. */
const stirred = 1.0004

type CoinPool = { readonly pool: LabPool; readonly usdOfSide: number }

const nativePool = (stage: Stage): CoinPool => ({ pool: stage.pool('WEMB', coin, 500), usdOfSide: deepUsd })
const unitPool = (stage: Stage, usdOfSide: number): CoinPool => ({ pool: stage.pool(coin, 'USDC', 500), usdOfSide })
const deepPools = (stage: Stage) => [nativePool(stage), unitPool(stage, deepUsd)]
const bentPools = (stage: Stage) => [nativePool(stage), unitPool(stage, shallowUsd)]

/** Honest traders keep the coin's pools at what both sides are worth. */
function trade(stage: Stage, pools: readonly CoinPool[], { off = 1, everySeconds = 2 } = {}): Promise<void> {
  const moves = pools.map(({ pool }) => moveCall(stage.traderKit, pool, toSqrtX96(pool, stage.fairPrice(pool) * off)))
  return stage.block([{ from: stage.trader, to: stage.traderKit, data: runData(moves) }], everySeconds)
}

/** Makes the coin and its pools, over an hour before the attack. */
async function openCoin(stage: Stage, listPools: (stage: Stage) => readonly CoinPool[]): Promise<void> {
  const token = await stage.makeToken('DevToken', coin, 1)
  await stage.fund('USDC', 1_000_000, stage.traderKit)
  await stage.fund('WEMB', 1_000, stage.traderKit)
  const send = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    functionName: 'transfer',
    args: [stage.traderKit, 10n ** 25n],
  })
  await stage.block([{ from: stage.attacker, to: token.address, data: send }])
  const pools = listPools(stage)
  const calls = pools.flatMap((each) => openFair(stage, each))
  await stage.block([{ from: stage.trader, to: stage.traderKit, data: runData(calls) }])
  // A pool that is at its price already does not trade, and is not established an hour later.
  await trade(stage, pools, { off: stirred })
  await trade(stage, pools)
  await stage.skipTo(stage.seconds() + 3_720)
  await trade(stage, pools)
}

/** Liquidity around the honest price, on both sides. */
function openFair(stage: Stage, { pool, usdOfSide }: CoinPool) {
  const price = stage.fairPrice(pool)
  const sqrtX96 = toSqrtX96(pool, price)
  const whole = (symbol: string) => usdOfSide / (stage.honest.usdOf(symbol) ?? 1)
  const amounts = { sqrtX96, base: whole(pool.base.symbol), quote: whole(pool.quote.symbol) }
  return [
    ...createCalls(pool, sqrtX96),
    enterCall(stage.traderKit, toPosition(pool, toRange(pool, price / 2, price * 2), amounts)),
  ]
}

/** @param setWorth what the falling coin is worth from the next block on, in US dollars */
async function fall(stage: Stage, setWorth: (usd: number) => void, { steps, everySeconds }: typeof slide): Promise<void> {
  const pools = deepPools(stage)
  for (let step = 1; step <= steps; step += 1) {
    setWorth(1 + ((pegEnd - 1) * step) / steps)
    await trade(stage, pools, { everySeconds })
  }
  for (let i = 0; i < settledSteps; i += 1)
    await trade(stage, pools, { off: i % 2 ? 1 : stirred, everySeconds: slide.everySeconds })
}

const falling = { targets: ['WEMB', coin], stables: [coin], prepare: (stage: Stage) => openCoin(stage, deepPools) }

const coinFalls: Attack = {
  ...falling,
  name: 'coin-falls',
  about: `${coin}, a stable coin beside USDC, falls to $0.88 in all pools within 25 minutes, and stays there`,
  play: (stage) => fall(stage, (usd) => stage.honest.setPrice(coin, usd), slide),
}

const coinCrashes: Attack = {
  ...falling,
  name: 'coin-crashes',
  about: 'the same within 20 s; trades in the next two minutes are still valued at the earlier price',
  play: (stage) => fall(stage, (usd) => stage.honest.setPrice(coin, usd), crash),
}

const unitFalls: Attack = {
  ...falling,
  name: 'unit-falls',
  about: `USDC itself, the unit of account, falls to $0.88 within 25 minutes while ${coin} keeps its value: stored dollars are compared with honest ones in USDC`,
  targets: ['WEMB', 'USDC'],
  play: (stage) => fall(stage, (usd) => stage.honest.setPeg(usd), slide),
}

const coinBent: Attack = {
  name: 'coin-bent',
  about: `${coin} keeps its value; the attacker pushes its only pool with USDC ($5,000) to $0.88, holds it there for ten minutes, and moves it back`,
  targets: ['WEMB', coin],
  stables: [coin],
  prepare: async (stage) => {
    await openCoin(stage, bentPools)
    // The attacker made the coin, and has half of it.
    await stage.fund('USDC', 10_000)
  },
  play: async (stage) => {
    const { pool } = unitPool(stage, shallowUsd)
    const moveTo = (price: number) => moveCall(stage.kit, pool, toSqrtX96(pool, price))
    await stage.act(moveTo(pegEnd))
    for (let i = 0; i < settledSteps; i += 1)
      await trade(stage, [nativePool(stage)], { off: i % 2 ? 1 : stirred, everySeconds: slide.everySeconds })
    await stage.checkDollars()
    await stage.act(moveTo(1))
  },
}

/** Attacks by moving the coin and the dollar. */
export const depegs: readonly Attack[] = [coinFalls, coinCrashes, unitFalls, coinBent]
