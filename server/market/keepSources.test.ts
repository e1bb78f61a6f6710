import { runAtOnce } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { listed } from '../testing/market.ts'
import { keepSources } from './keepSources.ts'
import type { AskedSource } from './pollSource.ts'
import type { PriceSource, SourceName } from './source.ts'
import type { Snapshot } from './takeSnapshot.ts'
import { toTokenList } from './tokenList.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

it('a reading of every source asks each once: the chain first, those that wait for others last', async () => {
  const reads: string[] = []
  const ask = (name: SourceName, after?: readonly SourceName[]): AskedSource => ({
    source: {
      name,
      read: async () => {
        reads.push(name)
        return { atBlock: undefined, answers: new Map() }
      },
    },
    intervalMs: () => 60_000,
    ...(after && { after }),
  })
  const keeper = keepSources({
    order: ['cmcDex', 'feeds', 'cmcListed', 'subgraph'],
    asked: {
      cmcDex: ask('cmcDex', ['cmcListed']),
      cmcListed: ask('cmcListed'),
      subgraph: ask('subgraph'),
      index: ask('index'),
      feeds: ask('feeds'),
    },
    list: () => ({ tokens: [], highlighted: [] }),
    prices: {},
    clock: createFakeClock(0),
    log: quiet,
    onChange: () => undefined,
  })
  await keeper.readOnce()
  expect(reads).toEqual(['index', 'feeds', 'cmcListed', 'subgraph', 'cmcDex'])
})

it('a merge step by step is of what was kept at its first step, and the next one of what came meanwhile', async () => {
  const list = toTokenList(listed, [])
  let block = 1
  const source: PriceSource = {
    name: 'index',
    read: async (tokens) => ({
      atBlock: { number: block, hash: '0x00', timestampSeconds: block },
      answers: new Map(tokens.map(({ id }) => [id, { kind: 'unpriced', reasons: [`at ${block}`], displayPool: undefined }])),
    }),
  }
  const keeper = keepSources({
    order: ['index'],
    asked: { index: { source, intervalMs: () => 0 } },
    list: () => list,
    prices: {},
    clock: createFakeClock(0),
    log: quiet,
    onChange: () => undefined,
  })
  await keeper.readChain()
  const steps = keeper.mergeSteps()
  steps.next()
  block = 2
  await keeper.readChain()
  const blockAndReasons = ({ atBlock, markets }: Snapshot) => [
    atBlock?.number,
    ...new Set(markets.flatMap(({ reasons }) => reasons)),
  ]
  expect(blockAndReasons(runAtOnce(steps))).toEqual([1, 'at 1'])
  expect(blockAndReasons(keeper.merge())).toEqual([2, 'at 2'])
})
