import type { Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { indexedTopics } from '../indexer/decodeLog.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { bitsOf, fillOf, mayHold, toBloom } from './bloom.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

describe('a bloom', () => {
  it('of a real block has the addresses and topics of all its logs, and hardly anything else', async () => {
    const chain = createViemChain([devnet.rpcUrl])
    const { number: to } = await chain.readHead()
    const { headers, logs } = await chain.readRange({ from: to - 30, to, topics: indexedTopics, everyHeader: true })
    expect(logs.length).toBeGreaterThan(30)
    let foreign = 0
    for (const { number, logsBloom } of headers) {
      const bloom = toBloom(logsBloom as Hex)
      expect(fillOf(bloom)).toBeLessThan(0.25)
      for (const { address, topics } of logs.filter(({ blockNumber }) => blockNumber === number))
        for (const item of [address, ...topics]) expect(mayHold(bloom, bitsOf(item))).toBe(true)
      for (let i = 0; i < 50; i += 1) if (mayHold(bloom, bitsOf(`0x${i.toString(16).padStart(40, '7')}`))) foreign += 1
    }
    expect(foreign).toBeLessThan(30)
  })

  it('counts its bits', () => {
    expect(fillOf(toBloom(`0x${'00'.repeat(256)}`))).toBe(0)
    expect(fillOf(toBloom(`0x${'ff'.repeat(256)}`))).toBe(1)
    expect(fillOf(toBloom(`0x${'01'.repeat(256)}`))).toBe(0.125)
  })
})
