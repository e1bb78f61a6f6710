// Tokens that are honest until they are listed and priced.
import { encodeFunctionData } from 'viem'
import { readOwnContract } from '../../devnet/artifacts.ts'
import { createCalls, enterCall, type LabPool, moveCall, toPosition, toRange, toSqrtX96, washCall } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const symbol = 'TRIK'
const usd = 0.5
const hour = 3_600
const { abi } = readOwnContract('DevTrickToken')
const poolOf = (stage: Stage) => stage.pool(symbol, 'USDC', 3_000)

const positionIn = (pool: LabPool) =>
  toPosition(pool, toRange(pool, usd / 4, usd * 4), { sqrtX96: toSqrtX96(pool, usd), base: 40_000, quote: 20_000 })
const positions = (stage: Stage) => [positionIn(poolOf(stage))]

/** Listed, with $40,000 in a pool so old that no hour before it was established still lowers what it is trusted. */
async function prepare(stage: Stage): Promise<void> {
  await stage.fund('USDC', 100_000)
  await stage.makeToken('DevTrickToken', symbol, usd)
  const pool = poolOf(stage)
  await stage.act(
    ...createCalls(pool, toSqrtX96(pool, usd)),
    enterCall(stage.kit, positionIn(pool)),
    washCall(stage.kit, pool, { quote: 10, times: 1 }),
  )
  await stage.skipTo(stage.seconds() + 3 * hour)
}

/** The owner changes the token; then a buyer or two, so that the index has something to read. */
async function turn(stage: Stage, functionName: string, args: readonly unknown[]): Promise<void> {
  const pool = poolOf(stage)
  const data = encodeFunctionData({ abi, functionName, args })
  await stage.block([{ from: stage.attacker, to: stage.token(symbol).address, data }])
  await stage.act(moveCall(stage.kit, pool, toSqrtX96(pool, usd * 1.001)))
  for (let i = 0; i < 10; i += 1) await stage.block()
  await stage.checkDollars()
}

const rebase: Attack = {
  name: 'rebase',
  about: 'a token whose owner takes 90 % of all balances, also of its pool',
  targets: [symbol],
  isFoundBySales: true,
  positions,
  prepare,
  play: (stage) => turn(stage, 'rebase', [10n ** 17n]),
}

const feeOnTransfer: Attack = {
  name: 'fee-on-transfer',
  about: 'a token that from now on loses 10 % with each transfer: the pool refuses every sale',
  targets: [symbol],
  isFoundBySales: true,
  positions,
  prepare,
  play: (stage) => {
    stage.honest.setPrice(symbol, undefined)
    return turn(stage, 'takeFee', [1_000])
  },
}

const honeypot: Attack = {
  name: 'honeypot',
  about: 'a token that can be bought and never sold',
  targets: [symbol],
  isFoundBySales: true,
  positions,
  prepare,
  play: (stage) => {
    stage.honest.setPrice(symbol, undefined)
    return turn(stage, 'stopTransfers', [poolOf(stage).address])
  },
}

/** Attacks by tokens with rules of their own. */
export const trickTokens: readonly Attack[] = [rebase, feeOnTransfer, honeypot]
