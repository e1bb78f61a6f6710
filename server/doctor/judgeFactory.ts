import { type Finding, fail, ok, warn } from '../finding.ts'

export type FactoryFacts = {
  readonly hasCode: boolean
  readonly hasOwner: boolean
  /** Tick spacing of each fee that the factory allows. */
  readonly spacings: ReadonlyMap<number, number>
}

/** The fees of Uniswap's own factory, and those that others added. In millionths. */
export const feesKnown = [100, 500, 2_500, 3_000, 10_000] as const

/** Whether `dex.factory` is a Uniswap v3 factory. Pure. */
export function judgeFactory({ hasCode, hasOwner, spacings }: FactoryFacts): Finding {
  const field = 'dex.factory'
  const wanted = 'a Uniswap v3 factory'
  const todo = "Look up the exchange's v3 factory on this chain"
  if (!hasCode) return fail({ field, found: 'no contract at this address', wanted, todo })
  if (!hasOwner || spacings.size === 0)
    return fail({ field, found: `a contract that ${hasOwner ? 'allows no fee' : 'has no owner()'}`, wanted, todo })
  return ok(field, `a Uniswap v3 factory with the fees ${[...spacings.keys()].join(', ')}`)
}

/** Where the factory begins, as far as the node can say it. Block numbers. */
export type StartFacts = {
  readonly startBlock: number
  /** The block of the factory's creation; undefined: the node does not keep states that old. */
  readonly createdAt: number | undefined
  /** The first pool made before `startBlock`; undefined: none was seen. */
  readonly poolBefore: number | undefined
  /** Whether every block before `startBlock` that may have a pool was looked at. */
  readonly lookedAtAll: boolean
}

/** Blocks that an index may begin too early without a word. */
const earlySlack = 10_000

/** Whether the index begins before the first pool, and not needlessly early. Pure. */
export function judgeStart({ startBlock, createdAt, poolBefore, lookedAtAll }: StartFacts): Finding {
  const field = 'dex.startBlock'
  if (poolBefore !== undefined)
    return fail({
      field,
      found: `${startBlock}, but a pool was created at block ${poolBefore}`,
      wanted: `at most ${createdAt ?? poolBefore}`,
      todo: `Write ${createdAt ?? poolBefore}: pools created before the first indexed block have no price`,
    })
  if (createdAt !== undefined && createdAt - startBlock > earlySlack)
    return warn({
      field,
      found: `${startBlock}, but the factory was created at block ${createdAt}`,
      wanted: `${createdAt}`,
      todo: 'Otherwise the first start reads blocks for nothing',
    })
  if (!lookedAtAll)
    return warn({
      field,
      found: `no pool shortly before ${startBlock}, earlier blocks were not checked`,
      wanted: 'a block not after the first pool',
      todo: "Compare it with the factory's block in an explorer: the node keeps no state that old",
    })
  return ok(
    field,
    createdAt === undefined ? `no pool was created before ${startBlock}` : `the factory was created at block ${createdAt}`,
  )
}
