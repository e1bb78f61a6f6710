import { expect, it } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { keepSources } from './keepSources.ts'
import type { AskedSource } from './pollSource.ts'
import type { SourceName } from './source.ts'

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
