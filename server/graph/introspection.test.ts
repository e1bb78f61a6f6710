import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, printSchema } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows, openTestGraph, rows } from '../testing/graphFixture.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
let printed: string

beforeAll(async () => {
  const store = await stores.openNew('sqlite')
  await insertRows(store, rows)
  const data = await openTestGraph(store).ask(getIntrospectionQuery())
  printed = printSchema(buildClientSchema(data as unknown as IntrospectionQuery))
})

const block = (head: string) => {
  const from = printed.indexOf(`${head} {`)
  return printed.slice(from, printed.indexOf('\n}', from) + 1)
}

describe('the schema that code generators read', () => {
  it('can be printed and parsed', () => {
    expect(parse(printed).definitions.length).toBeGreaterThan(50)
  })

  it.each([
    'type Pool',
    'input Pool_filter',
    'enum Pool_orderBy',
    'type UniswapDayData',
    'input UniswapDayData_filter',
    'enum OrderDirection',
    'input Block_height',
    'input BlockChangedFilter',
    'type _Meta_',
    'type _Block_',
    'enum _SubgraphErrorPolicy_',
  ])('has %s', (head) => {
    expect(printed).toContain(`${head} {`)
  })

  it('has the lists and the single entities of The Graph', () => {
    const query = block('type Query')
    expect(query).toContain('pool(id: ID!, block: Block_height, subgraphError: _SubgraphErrorPolicy_! = deny): Pool\n')
    expect(query).toContain(
      'poolHourDatas(skip: Int = 0, first: Int = 100, orderBy: PoolHourData_orderBy, orderDirection: OrderDirection, where: PoolHourData_filter, block: Block_height, subgraphError: _SubgraphErrorPolicy_! = deny): [PoolHourData!]!',
    )
    expect(query).toContain('_meta(block: Block_height): _Meta_')
    for (const plural of ['factories', 'flashes', 'uniswapDayDatas', 'tokenHourDatas', 'collects', 'bundles']) {
      expect(query).toContain(`  ${plural}(`)
    }
  })

  it('has the fields of the reference, null where it may be', () => {
    expect(block('type Pool')).toContain('  tick: BigInt\n')
    expect(block('type Pool')).toContain('  liquidity: BigInt!\n')
    expect(block('type Pool')).toContain('  token0: Token!\n')
    expect(block('type Mint')).toContain('  sender: Bytes\n')
    expect(block('type Swap')).toContain('  logIndex: BigInt\n')
    expect(block('type Transaction')).toMatch(/ {2}flashed\(.*\): \[Flash\]!/)
    expect(block('type PoolDayData')).toContain('  date: Int!\n')
  })

  it.each([
    ['type Bundle', 'ethPriceUSD', /a median like token prices, not the last trade's price/],
    ['type Token', 'derivedETH', /medians over pools and over the price window/],
    ['type Token', 'totalSupply', /refreshed every few minutes/],
    ['type Swap', 'amountUSD', /by its price at the end of the block, which is a median/],
    ['type Mint', 'amountUSD', /of both tokens by the prices at the end of its block/],
    ['type PoolDayData', 'volumeUSD', /gross: .* Self-trading counts/],
    ['type Pool', 'untrackedVolumeUSD', /The same as volumeUSD/],
    ['type PoolHourData', 'high', /A traded price/],
    ['type TokenHourData', 'priceUSD', /the median over its pools/],
  ])('%s says what %s means where the reference means another thing', (head, field, words) => {
    expect(new RegExp(`"""([^"]*)"""\\s+${field}: `).exec(block(head))?.[1]?.replaceAll(/\s+/g, ' ')).toMatch(words)
  })

  it.each([
    ['id_contains: Bytes'],
    ['feeTier_not_in: [BigInt!]'],
    ['tick_lte: BigInt'],
    ['token0: String'],
    ['token0_not_ends_with_nocase: String'],
    ['token0_: Token_filter'],
    ['swaps_: Swap_filter'],
    ['_change_block: BlockChangedFilter'],
    ['and: [Pool_filter]'],
    ['or: [Pool_filter]'],
  ])('a filter of pools has %s', (line) => {
    expect(block('input Pool_filter')).toContain(`  ${line}\n`)
  })

  it('an order of swaps may be by their pool and its figures', () => {
    for (const name of ['timestamp', 'pool', 'pool__liquidity', 'transaction__blockNumber', 'token1__symbol']) {
      expect(block('enum Swap_orderBy')).toContain(`  ${name}\n`)
    }
    expect(block('enum Swap_orderBy')).not.toContain('  pool__token0\n')
  })
})
