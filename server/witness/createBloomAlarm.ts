import { setImmediate } from 'node:timers/promises'
import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Chain, ChainRange, Header } from '../chain/chain.ts'
import { type Bloom, bitsOf, fillOf, mayHold, toBloom } from './bloom.ts'
import { failureOfNode } from './failureOfNode.ts'
import { judgeWeight, type ReceiptTraits } from './proof/receiptTraits.ts'
import { readReceipts } from './readReceipts.ts'

/** Blooms fuller than this say nothing about a single contract. */
const fillMax = 0.25
/** Contracts whose bits are worked out at once, which takes some 25 us each. In between, others have their turn. */
const hashedAtOnce = 50
/** Blocks that may be read by their receipts for nothing, of one: sets how full a bloom may be for so many pools. */
const idleReadsMax = 0.05
/** Alarms in a row that were unfounded, after which this chain's blooms are taken for something else. */
const unfoundedMax = 30

export type BloomAlarm = {
  /**
   * Compares a range's logs with the blooms of its headers, where every header is there; asks for receipts of a block whose
   * bloom has a known contract and event that no log shows.
   * @throws Failure `rpc-invalid` when the receipts have a log that the range lacks
   */
  check(
    range: ChainRange,
    known: { readonly factory: Address; readonly pools: Iterable<Address>; readonly poolCount: number },
  ): Promise<void>
  /** Why blooms of this chain are not looked at any more; undefined while they are. */
  quirk(): string | undefined
}

/**
 * Blooms as an alarm: they never prove that all logs came, but one may show that a log did not.
 * @param onUndecided told of a block with an alarm whose receipts do not fit its header, on a chain where they do: it may lack a log
 */
export function createBloomAlarm(
  forward: Chain['forward'],
  topics: readonly Hex[],
  traits: ReceiptTraits,
  onUndecided: (block: number) => void = () => undefined,
): BloomAlarm {
  const bits = new Map<Hex, readonly number[]>()
  const bitsFor = (item: Hex) => {
    const known = bits.get(item) ?? bitsOf(item)
    bits.set(item, known)
    return known
  }
  const learnBits = async (items: readonly Hex[]) => {
    const unknown = items.filter((item) => !bits.has(item))
    for (const [i, item] of unknown.entries()) {
      if (i > 0 && i % hashedAtOnce === 0) await setImmediate()
      bitsFor(item)
    }
  }
  let unfounded = 0
  let quirk: string | undefined

  const judge = async ({ number, hash }: Header, { logs }: ChainRange, contracts: ReadonlySet<string>) => {
    const receipts = await readReceipts({ forward }, number).catch(failureOfNode)
    // A node that is away says nothing of the blooms; of one that knows no receipts no bloom is of use.
    if (receipts instanceof Failure && receipts.code !== 'rpc-refused') return
    // Nor does one whose receipts do not fit the header: it may have lost them, and the log. Whether the bloom does is the question here.
    if ('weight' in receipts && !judgeWeight({ ...receipts.weight, bloom: undefined }, traits.traits())) {
      if (traits.traits().roots) onUndecided(number)
      return
    }
    const given = new Set(logs.map(({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`))
    const missing = (receipts instanceof Failure ? [] : receipts.logs).find(
      (log) =>
        log.blockHash === hash &&
        contracts.has(log.address) &&
        topics.some((topic) => topic === log.topics[0]) &&
        !given.has(`${number} ${log.logIndex}`),
    )
    if (!missing) {
      unfounded += 1
      if (unfounded >= unfoundedMax) quirk = 'The blooms of this chain do not match the logs of their blocks'
      return
    }
    unfounded = 0
    throw new Failure('rpc-invalid', `The node left out log ${missing.logIndex} of block ${number}, which is in its receipts`, {
      retryable: true,
      detail: { block: number, address: missing.address },
    })
  }

  return {
    quirk: () => quirk,
    async check(range, { factory, pools, poolCount }) {
      if (quirk) return
      const limit = Math.min(fillMax, Math.cbrt(idleReadsMax / Math.max(1, poolCount)))
      const seen = new Set(range.logs.map((log) => `${log.blockNumber} ${log.address} ${log.topics[0]}`))
      for (const header of range.headers) {
        const bloom: Bloom | undefined = header.logsBloom ? toBloom(header.logsBloom) : undefined
        if (!bloom || fillOf(bloom) > limit) continue
        const hot = topics.filter((topic) => mayHold(bloom, bitsFor(topic)))
        if (hot.length === 0) continue
        const contracts = [factory, ...pools]
        await learnBits(contracts)
        const lacks = (address: Address) => hot.some((topic) => !seen.has(`${header.number} ${address} ${topic}`))
        const suspected = contracts.filter((address) => mayHold(bloom, bitsFor(address)) && lacks(address))
        if (suspected.length > 0) await judge(header, range, new Set(contracts))
      }
    },
  }
}
