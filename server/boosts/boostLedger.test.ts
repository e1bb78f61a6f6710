import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { listBoostPaymentsIn } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import { allowPaymentToken, boostContract, payBoost } from '../testing/fakeBoosts.ts'
import { alpha, beta, thin, usdc } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { BoostLedger, type LedgerDeps } from './boostLedger.ts'

const stores = createTempStores()
const [contract2, paidIn]: readonly [Address, Address] = [`0x${'b1'.repeat(20)}`, `0x${'99'.repeat(20)}`]

/** A ledger of a chain whose blocks settle four later. */
async function open(chain: Chain, changes: Partial<LedgerDeps> = {}) {
  const store = changes.store ?? (await stores.openNew('sqlite'))
  const [reasons, asked]: [string[], number[]] = [[], []]
  const deps: LedgerDeps = {
    ...{ chain, store, contract: boostContract, startBlock: 1, confirmations: 4, spanMax: 50 },
    ...{ decimals: new Map([[usdc, 6]]), onStartOver: (reason) => reasons.push(reason) },
    confirmLeft: async ({ number }) => void asked.push(number),
    ...changes,
  }
  const ledger = await BoostLedger.open(deps)
  /** Reads to the head, and says how that ended. */
  const read = async () => {
    for (;;) {
      const progress = await ledger.readOn(await chain.readHead())
      if (progress !== 'further') return progress
    }
  }
  return { ledger, store, reasons, asked, read }
}

/** Block and token of all payments in the store. */
async function listPaid(store: Store): Promise<string[]> {
  const names = new Map([alpha, beta, thin].map((token, i) => [token, ['alpha', 'beta', 'thin'][i]]))
  const rows = await listBoostPaymentsIn(store.read, { from: 0, to: 1_000 })
  return rows.map(({ blockNumber, token }) => `${blockNumber} ${names.get(token)}`)
}

const pay = (token: Address): FakeEvent[] => payBoost({ token, expiresAt: 1_800_000_000 })

/** A chain of so many blocks, with events in some of them. */
function chainOf(blocks: number, events: Readonly<Record<number, readonly FakeEvent[]>>): FakeChain {
  const chain = new FakeChain()
  for (let block = 1; block <= blocks; block += 1) chain.mine(events[block])
  return chain
}

describe('payments near the head', () => {
  it('are in the store at once, and settled four blocks later', async () => {
    const chain = chainOf(10, { 2: pay(alpha), 9: pay(beta) })
    const { ledger, store, read } = await open(chain)
    expect(await read()).toBe('there')
    expect([await listPaid(store), ledger.settled]).toEqual([['2 alpha', '9 beta'], 6])
  })

  it('go when a reorg takes them back', async () => {
    const chain = chainOf(10, { 2: pay(alpha), 9: pay(beta) })
    const { store, read, reasons } = await open(chain)
    await read()
    chain.cut(2)
    for (const events of [[], pay(thin), []]) chain.mine(events)
    await read()
    expect([await listPaid(store), reasons]).toEqual([['2 alpha', '10 thin'], []])
  })

  it('that a node left out are there with the next block', async () => {
    const chain = chainOf(10, { 9: pay(beta) })
    let leavesOut = true
    const readRange: Chain['readRange'] = async (request) => {
      const range = await chain.readRange(request)
      return leavesOut ? { ...range, logs: [] } : range
    }
    const { store, read } = await open({ ...chain, readRange })
    await read()
    expect(await listPaid(store)).toEqual([])
    leavesOut = false
    chain.mine()
    await read()
    expect(await listPaid(store)).toEqual(['9 beta'])
  })

  it('are not mixed of two branches: the next block is waited for', async () => {
    const chain = chainOf(9, {})
    const readRange: Chain['readRange'] = async (request) => {
      const range = await chain.readRange(request)
      if (request.from === 5) {
        chain.cut(4)
        for (let block = 0; block < 4; block += 1) chain.mine(pay(thin))
      }
      return range
    }
    const { ledger, store, read } = await open({ ...chain, readRange }, { spanMax: 2 })
    await expect(read()).rejects.toMatchObject({
      ...{ code: 'rpc-unavailable', retryable: true },
      message: 'The chain changed while the server read the boosts',
    })
    expect([await listPaid(store), ledger.settled]).toEqual([[], 2])
  })

  it('are not written again while they stay as they are', async () => {
    const chain = chainOf(10, { 9: pay(beta) })
    const store = await stores.openNew('sqlite')
    let writes = 0
    const write: Store['write'] = (work, options) => {
      writes += 1
      return store.write(work, options)
    }
    const { ledger, read } = await open(chain, { store: { ...store, write } })
    await read()
    const before = writes
    const head = await chain.readHead()
    for (let time = 0; time < 3; time += 1) await ledger.readOn(head)
    expect(writes).toBe(before)
  })
})

describe('a settled block that the chain has left', () => {
  const leave = async (change: (chain: FakeChain) => void, changes: Partial<LedgerDeps> = {}) => {
    const chain = chainOf(10, { 2: pay(alpha) })
    const parts = await open(chain, changes)
    await parts.ledger.adopt('31337:genesis')
    await parts.read()
    change(chain)
    return { ...parts, chain }
  }
  const reason = 'A reorg removed the last settled block: the server reads all boosts again'

  it.each<[string, (chain: FakeChain) => void]>([
    ['ends below it', (chain) => chain.cut(6)],
    [
      'has another one there',
      (chain) => {
        chain.cut(5)
        chain.mine()
      },
    ],
    [
      'goes on from another one',
      (chain) => {
        chain.cut(5)
        for (let block = 0; block < 12; block += 1) chain.mine()
      },
    ],
  ])('is noticed where the chain %s: all payments go, to be read again', async (_name, change) => {
    const { ledger, store, read, reasons, asked } = await leave(change)
    expect(await read()).toBe('left')
    expect([await listPaid(store), ledger.end.block, reasons, asked]).toEqual([[], undefined, [reason], [6]])
    expect(ledger.chain).toBe('31337:genesis')
    expect(await read()).toBe('there')
    expect(await listPaid(store)).toEqual(['2 alpha'])
  })

  it('costs no payment while nodes may not be believed about that', async () => {
    const doubtful = new Failure('rpc-invalid', 'One node alone says so', { retryable: true })
    const confirmLeft = () => Promise.reject(doubtful)
    const { ledger, store, read, reasons } = await leave((chain) => chain.cut(6), { confirmLeft })
    await expect(read()).rejects.toBe(doubtful)
    expect([await listPaid(store), ledger.settled, reasons]).toEqual([['2 alpha'], 6, []])
  })
})

describe('stored payments', () => {
  /** Opens a second ledger, as a restart does, on what a first one has stored. */
  async function reopen(changes: Partial<LedgerDeps> = {}) {
    const chain = chainOf(10, { 2: pay(alpha) })
    const { store, ledger, read } = await open(chain)
    await ledger.adopt('31337:genesis')
    await read()
    return open(chain, { store, ...changes })
  }

  it('are gone on with after a restart, from the last settled block', async () => {
    const { ledger, store, reasons } = await reopen()
    expect([await listPaid(store), ledger.settled, ledger.chain, reasons]).toEqual([['2 alpha'], 6, '31337:genesis', []])
  })

  it.each<[string, Partial<LedgerDeps>]>([
    ['another contract', { contract: contract2 }],
    ['another first block', { startBlock: 3 }],
  ])('are thrown away for %s', async (_name, changes) => {
    const { ledger, store, reasons } = await reopen(changes)
    expect([await listPaid(store), ledger.end.block]).toEqual([[], undefined])
    expect(reasons).toEqual(['The stored boosts belong to another contract'])
  })

  it('are thrown away for another chain, and kept for their own', async () => {
    const { ledger, store, reasons } = await reopen()
    await ledger.adopt('31337:genesis')
    expect([await listPaid(store), reasons]).toEqual([['2 alpha'], []])
    await ledger.adopt('31337:other')
    expect([await listPaid(store), reasons, ledger.chain]).toEqual([
      ...[[], ['The stored boosts belong to another chain'], '31337:other'],
    ])
  })
})

describe('a correction', () => {
  const correction = { token: thin, payer: alpha, paymentToken: usdc, amountRaw: 5n, expiresAtSeconds: 9, timestampSeconds: 7 }
  const row = { ...correction, logIndex: 3, txHash: `0x${'01'.repeat(32)}`, decimals: undefined } as const

  it('takes the place of a settled block, and of no other', async () => {
    const { ledger, store, read } = await open(chainOf(10, { 2: pay(alpha), 3: pay(beta), 9: pay(beta) }))
    await read()
    expect(await ledger.correct(2, [{ ...row, blockNumber: 2 }])).toBe(true)
    expect(await ledger.correct(9, [])).toBe(false)
    expect(await listPaid(store)).toEqual(['2 thin', '3 beta', '9 beta'])
  })

  it('keeps the decimals that the payment token had when the block was read, not those of today', async () => {
    const chain = chainOf(10, {
      1: [allowPaymentToken(paidIn, 8)],
      2: payBoost({ token: alpha, expiresAt: 9, paymentToken: paidIn }),
      4: [allowPaymentToken(paidIn, 2)],
    })
    const { ledger, store, read } = await open(chain)
    await read()
    await ledger.correct(2, [{ ...row, paymentToken: paidIn, blockNumber: 2 }])
    expect(await listBoostPaymentsIn(store.read, { from: 2, to: 2 })).toMatchObject([{ token: thin, decimals: 8 }])
    expect(ledger.end.decimals.get(paidIn)).toBe(2)
  })

  it('of decimals lasts over a restart', async () => {
    const chain = chainOf(10, {})
    const { ledger, store, read } = await open(chain)
    await read()
    await ledger.correctDecimals(new Map([[paidIn, 12]]))
    const { ledger: second } = await open(chain, { store })
    expect(Object.fromEntries(second.end.decimals)).toEqual({ [usdc]: 6, [paidIn]: 12 })
  })
})

it('decimals that no log said are those of the payment token itself', async () => {
  const chain = chainOf(10, { 2: payBoost({ token: alpha, expiresAt: 9, paymentToken: paidIn }) })
  chain.tokens.set(paidIn, { address: paidIn, symbol: 'PAID', name: 'Paid', decimals: 9, totalSupplyRaw: 0n })
  const { store, read } = await open(chain)
  await read()
  expect(await listBoostPaymentsIn(store.read, { from: 2, to: 2 })).toMatchObject([{ decimals: 9 }])
})

it('a node that fails costs nothing that was read, and does not hold up what is read next', async () => {
  const chain = chainOf(10, { 2: pay(alpha), 9: pay(beta) })
  const { ledger, store, read } = await open(chain)
  const head = await chain.readHead()
  chain.failures.push(new Failure('rpc-unavailable', 'away', { retryable: true }))
  await expect(ledger.readOn(head)).rejects.toThrow('away')
  expect(ledger.settled).toBe(0)
  await read()
  expect(await listPaid(store)).toEqual(['2 alpha', '9 beta'])
})
