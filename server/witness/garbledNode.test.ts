import { expect, it } from 'vitest'
import type { RpcNode } from '../chain/rpcNode.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { collectTopic, type RpcLog, until, useLyingDevnet } from '../testing/lyingDevnet.ts'
import { createRandom, type Random } from '../testing/simulation/random.ts'

const { honest, follow, headNumber, isAtHead, truth, trade, collectNothingAndTrade } = useLyingDevnet()

/** JSON that no field expects. The first cannot be made a text or a number of. */
const strange: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  ...[null, [], {}, '', '0x', '0xzz', '0x0', -1, 5, 1e300, true, ['0x00'], [`0x${'1'.repeat(64)}`], 'latest'],
  ...[`0x${'f'.repeat(64)}`, `0x${'f'.repeat(65)}`, `0x${'0'.repeat(64)}`, '0x7fffffffffffffff', `0x${'ab'.repeat(600)}`],
]

const receiptMethods = /Receipt/

/** The answer with one value in it, at any depth, replaced. */
function garble(answer: unknown, random: Random): unknown {
  const pick = () => (random.chance(0.5) ? strange[0] : random.pick(strange))
  if (random.chance(0.15) || typeof answer !== 'object' || answer === null) return pick()
  const keys = Object.keys(answer)
  if (keys.length === 0) return pick()
  const key = random.pick(keys)
  const inside = garble((answer as Record<string, unknown>)[key], random)
  return Array.isArray(answer) ? answer.with(Number(key), inside) : { ...answer, [key]: inside }
}

it.each(['s8', 's20', 's22', 's24'])(
  'whatever a node puts into a field: no check ends by it, and the index is right in the end (%s)',
  { timeout: 120_000 },
  async (seed) => {
    const random = createRandom(`garbled ${seed}`)
    const real = honest()
    let isGarbling = false
    const garbled: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        if (!isGarbling) return answer
        // What it leaves out has receipts read, of which one field is garbled.
        if (method === 'eth_getLogs' && Array.isArray(answer))
          return (answer as RpcLog[]).filter(({ topics }) => topics[0] !== collectTopic)
        return random.chance(receiptMethods.test(method) ? 0.9 : 0.2) ? garble(answer, random) : answer
      },
    }
    const warned: string[] = []
    const followed = await follow([garbled, honest()], { onWarn: (text) => void warned.push(text) })
    await until(() => isAtHead(followed))
    isGarbling = true
    for (let i = 0; i < 12; i += 1) {
      await (i % 2 === 0 ? collectNothingAndTrade() : trade(1))
      const { checkedAtMs = 0 } = followed.witness.status()
      // Several looks of the witness, one after the other.
      await until(() => (followed.witness.status().checkedAtMs ?? 0) > checkedAtMs)
    }
    isGarbling = false
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(followed.follower.status().faults).toBe(0)
    expect(warned.filter((text) => /could not be compared/.test(text))).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  },
)
