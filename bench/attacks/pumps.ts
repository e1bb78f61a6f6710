// Attacks that buy a token in its deepest pool, and sell it again.
import { moveCall, toSqrtX96 } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const pumped = { base: 'BSLT', quote: 'WEMB', fee: 3_000 } as const
const pumpedBy = 1.5
const targets = [pumped.base]

/** What the pump of the pool by half takes, with much to spare. */
async function fundPump(stage: Stage): Promise<void> {
  await stage.fund('WEMB', 20_000)
  await stage.fund('BSLT', 10_000_000)
}

/** One block at whose end the pool is at the honest price times this. */
function moveTo(stage: Stage, times: number): Promise<void> {
  const pool = stage.pool(pumped.base, pumped.quote, pumped.fee)
  return stage.act(moveCall(stage.kit, pool, toSqrtX96(pool, stage.fairPrice(pool) * times)))
}

function holdPump(blocks: number): Attack {
  return {
    name: `pump-${blocks}`,
    about: `the deepest pool of BSLT +50 %, held for ${blocks} block${blocks > 1 ? 's' : ''}, then back`,
    targets,
    prepare: fundPump,
    play: async (stage) => {
      for (let i = 0; i < blocks; i += 1) await moveTo(stage, pumpedBy)
      await stage.checkDollars()
      await moveTo(stage, 1)
    },
  }
}

const pumpInTransaction: Attack = {
  name: 'pump-in-transaction',
  about: 'the same +50 % and back inside one transaction',
  targets,
  prepare: fundPump,
  play: async (stage) => {
    const pool = stage.pool(pumped.base, pumped.quote, pumped.fee)
    const fair = stage.fairPrice(pool)
    const to = (times: number) => moveCall(stage.kit, pool, toSqrtX96(pool, fair * times))
    await stage.act(to(pumpedBy), to(1))
  },
}

const drift: Attack = {
  name: 'drift',
  about: 'the same pool +1 % every 3 blocks up to +30 %, then back',
  targets,
  prepare: fundPump,
  play: async (stage) => {
    for (let percent = 1; percent <= 30; percent += 1) for (let i = 0; i < 3; i += 1) await moveTo(stage, 1 + percent / 100)
    await stage.checkDollars()
    await moveTo(stage, 1)
  },
}

const reorgInPump: Attack = {
  name: 'reorg-in-pump',
  about: '+50 % held for 3 blocks, a reorg of 5 blocks, +50 % for 3 more, then back',
  targets,
  prepare: fundPump,
  play: async (stage) => {
    for (let i = 0; i < 4; i += 1) await stage.block()
    for (let i = 0; i < 3; i += 1) await moveTo(stage, pumpedBy)
    await stage.reorg(5)
    for (let i = 0; i < 3; i += 1) await moveTo(stage, pumpedBy)
    await moveTo(stage, 1)
  },
}

/** Attacks by holding a price up. */
export const pumps: readonly Attack[] = [...[1, 5, 20, 60].map(holdPump), pumpInTransaction, drift, reorgInPump]
