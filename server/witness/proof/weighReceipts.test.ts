import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startShortDevnet } from '../../testing/startShortDevnet.ts'
import type { RawReceipt } from './encodeReceipt.ts'
import type { RawBlock } from './hasItsHash.ts'
import { weighReceipts } from './weighReceipts.ts'

type RawLog = Readonly<Record<string, unknown>>
type Found = { readonly block: RawBlock; readonly receipts: readonly (RawReceipt & { readonly logs: readonly RawLog[] })[] }

let devnet: Devnet
let blocks: Found[]
/** A block with several logs. */
let full: Found
beforeAll(async () => {
  devnet = await startShortDevnet()
  const head = Number(await devnet.rpc('eth_blockNumber', []))
  blocks = await Promise.all(
    Array.from({ length: head + 1 }, async (_, i) => ({
      block: await devnet.rpc<RawBlock>('eth_getBlockByNumber', [`0x${i.toString(16)}`, false]),
      receipts: await devnet.rpc<Found['receipts']>('eth_getBlockReceipts', [`0x${i.toString(16)}`]),
    })),
  )
  full = blocks.findLast(({ receipts }) => receipts.flatMap(({ logs }) => logs).length > 3) as Found
})
afterAll(() => devnet.stop())

const weigh = (receipts: readonly RawReceipt[], block = full.block) => weighReceipts(block, receipts).weight
const everyLog = (change: (log: RawLog, i: number) => RawLog[]) =>
  full.receipts.map((receipt) => ({ ...receipt, logs: receipt.logs.flatMap(change) }))

it("the receipts of a real node make the root and the bloom of their header, and its fields make the block's hash", () => {
  expect(blocks.length).toBeGreaterThan(100)
  for (const { block, receipts } of blocks.slice(1))
    expect(weighReceipts(block, receipts).weight).toMatchObject({ isComplete: true, root: true, bloom: true, header: true })
})

it('none at all are not complete', () => expect(weigh([])).toMatchObject({ isComplete: false, root: false, bloom: false }))

it('one less is not complete', () => expect(weigh(full.receipts.slice(1)).isComplete).toBe(false))

it('the logs without those of one contract make neither root nor bloom', () => {
  const { address } = full.receipts.flatMap(({ logs }) => logs).at(-1) as RawLog
  const rest = everyLog((log) => (log['address'] === address ? [] : [log]))
  expect(weigh(rest)).toMatchObject({ isComplete: true, root: false, bloom: false })
})

it('a log twice makes the same bloom, and not the root', () => {
  expect(weigh(everyLog((log) => [log, log]))).toMatchObject({ root: false, bloom: true })
})

it('a header that was changed to fit has another hash', () => {
  expect(weigh(full.receipts, { ...full.block, logsBloom: `0x${'0'.repeat(512)}` })).toMatchObject({ root: true, header: false })
})

it('a header with a field that no rule is known for says nothing, unless it has its hash all the same', () => {
  const own = { ...full.block, ofTomorrow: '0x1' }
  expect(weigh(full.receipts, own).header).toBe(true)
  expect(weigh(full.receipts, { ...own, gasUsed: '0x1' }).header).toBe(undefined)
})

it("a receipt of a chain's own type makes no root", () => {
  const own = full.receipts.map((receipt) => ({ ...receipt, type: '0x6a' }))
  expect(weigh(own)).toMatchObject({ isComplete: true, root: undefined, bloom: true })
})

it('a receipt that the chain adds by itself, and its logs, are not of what is proven', () => {
  const hash = `0x${'5a'.repeat(32)}`
  const added = { ...full.receipts[0], transactionHash: hash, transactionIndex: '0x99', gasUsed: '0x0' } as RawReceipt
  const listed = { ...full.block, transactions: [...(full.block['transactions'] as string[]), hash] }
  const { weight, receipts } = weighReceipts(listed, [...full.receipts, added])
  expect(weight).toMatchObject({ isComplete: true, root: true })
  expect(receipts).toEqual(full.receipts)
})
