import { type Address, Failure } from '@chainboard/core'
import type { Chain, ChainRange, Header } from '../chain/chain.ts'
import { rangeEnds } from '../chain/rangeEnds.ts'
import { type BoostCursor, findBoostCursor, setBoostCursor } from '../store/boostCursor.ts'
import { type BoostPayment, listBoostPaymentsIn, replaceBoostPayments } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import { createRangeReader, type RangeReader } from './createRangeReader.ts'
import { type Decimals, decodeBoostLogs, type LoggedPayment } from './decodeBoostLogs.ts'

export type LedgerDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly contract: Address
  /** The contract's first block, or one before. */
  readonly startBlock: number
  /** Blocks under the head that may still change. */
  readonly confirmations: number
  /** Widest range of blocks ever asked for. */
  readonly spanMax: number
  /** Decimals that are known without the contract: USDC's. */
  readonly decimals: Decimals
  /**
   * Asked before payments are thrown away since the chain has left a settled block.
   * @throws Failure `rpc-…` when the node may not be believed
   */
  readonly confirmLeft: (settled: { readonly number: number; readonly hash: string }) => Promise<void>
  /** After all payments were thrown away, to be read again. */
  readonly onStartOver: (reason: string) => void
}

/** How far a reading came: further, to the head, or nowhere, since the chain has left what was settled and is another now. */
export type Progress = 'further' | 'there' | 'left'

/** Ranges of so many blocks at most are settled by the hash of each block. Wider ones are far below the head, where no node is behind. */
const hashedMax = 64

/**
 * Every payment for a boost, in the store. Up to its cursor payments are settled; later ones are read again with every
 * block, so that whatever a reorg took back, or a node behind the others left out, is right with the next one. What is settled is read
 * a second time (`createLedgerCheck.ts`) and corrected.
 */
export class BoostLedger {
  readonly #deps: LedgerDeps
  readonly #read: RangeReader
  #cursor: BoostCursor
  /** What was last written after the cursor. */
  #written: string | undefined
  /** Ends when nobody changes the ledger. */
  #free: Promise<unknown> = Promise.resolve()

  private constructor(deps: LedgerDeps, cursor: BoostCursor) {
    this.#deps = deps
    this.#read = createRangeReader(deps.chain, deps.contract, deps.spanMax)
    this.#cursor = cursor
  }

  /** Continues with the stored payments, unless they were made to another contract: then they are deleted. */
  static async open(deps: LedgerDeps): Promise<BoostLedger> {
    const stored = await findBoostCursor(deps.store.read)
    const ledger = new BoostLedger(deps, stored ?? toStart(deps, undefined))
    if (stored && (stored.contract !== deps.contract || stored.startBlock !== deps.startBlock))
      await ledger.#startOver(undefined, 'The stored boosts belong to another contract')
    return ledger
  }

  /** The last settled block, and what is known there. */
  get end(): Pick<BoostCursor, 'block' | 'decimals'> {
    return this.#cursor
  }

  /** The last settled block; one before the first when there is none. */
  get settled(): number {
    return this.#cursor.block?.number ?? this.#deps.startBlock - 1
  }

  /** Chain id and genesis of what is stored; undefined before a node has said them. */
  get chain(): string | undefined {
    return this.#cursor.chain
  }

  /** Tells which chain is read. What was read of another one is thrown away. */
  adopt(chain: string): Promise<void> {
    return this.#alone(async () => {
      const known = this.#cursor.chain
      if (known !== undefined && known !== chain) await this.#startOver(chain, 'The stored boosts belong to another chain')
      this.#cursor = { ...this.#cursor, chain }
    })
  }

  /**
   * Reads the next part of the way to a head, in one transaction.
   * @throws Failure of the codes `rpc-…`; what was read before stays
   */
  readOn(head: Header): Promise<Progress> {
    return this.#alone(() => this.#readOn(head))
  }

  /**
   * Puts these in the place of a settled block's payments. Decimals that they do not have stay as they were.
   * @returns false when that is no settled block any more
   */
  correct(block: number, payments: readonly LoggedPayment[]): Promise<boolean> {
    return this.#alone(async () => {
      if (block > this.settled) return false
      const span = { from: block, to: block }
      const stored = await listBoostPaymentsIn(this.#deps.store.read, span)
      const before = new Map(stored.map(({ paymentToken, decimals }) => [paymentToken, decimals]))
      const known = (token: Address) => before.get(token) ?? this.#cursor.decimals.get(token)
      const told = payments.map((payment) => ({ ...payment, decimals: payment.decimals ?? known(payment.paymentToken) }))
      const rows = await withDecimals(this.#deps.chain, told, this.#cursor.block)
      await this.#deps.store.write((tx) => replaceBoostPayments(tx, span, rows))
      return true
    })
  }

  /** Decimals of payment tokens as they are at the last settled block. */
  correctDecimals(corrected: Decimals): Promise<void> {
    return this.#alone(async () => {
      const cursor = { ...this.#cursor, decimals: new Map([...this.#cursor.decimals, ...corrected]) }
      await this.#deps.store.write((tx) => setBoostCursor(tx, cursor))
      this.#cursor = cursor
      this.#written = undefined
    })
  }

  /** One change at a time: a correction comes from elsewhere than what is new. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#free.then(change)
    this.#free = done.catch(() => undefined)
    return done
  }

  async #readOn(head: Header): Promise<Progress> {
    const { block } = this.#cursor
    if (block && (head.number < block.number || (head.number === block.number && head.hash !== block.hash))) return this.#leave()
    const settledTo = head.number - this.#deps.confirmations
    // By as many blocks at once as are read again with every block anyway.
    if (settledTo - this.settled < Math.max(1, this.#deps.confirmations)) return this.#readTip(head.number)
    return this.#settle(settledTo)
  }

  async #settle(to: number): Promise<Progress> {
    const range = await this.#read(this.settled + 1, to, { everyHeader: to - this.settled <= hashedMax })
    if (!this.#continues(range)) return this.#leave()
    if (!isLinked(range)) throw changedMeanwhile()
    const { payments, decimals } = decodeBoostLogs(range.logs, this.#cursor.decimals)
    const [first, last] = rangeEnds(range)
    const rows = await withDecimals(this.#deps.chain, payments, last)
    const cursor = { ...this.#cursor, block: { number: last.number, hash: last.hash }, decimals }
    await this.#deps.store.write(async (tx) => {
      await replaceBoostPayments(tx, { from: first.number, to: last.number }, rows)
      await setBoostCursor(tx, cursor)
    })
    this.#cursor = cursor
    this.#written = undefined
    return 'further'
  }

  /** Reads what is not settled, and writes it unless it is as it was. */
  async #readTip(to: number): Promise<Progress> {
    const from = this.settled + 1
    const ranges: ChainRange[] = []
    let last: Header | undefined
    for (let next = from; next <= to; next = last.number + 1) {
      const range = await this.#read(next, to)
      if (last && range.headers[0]?.parentHash !== last.hash) throw changedMeanwhile()
      ranges.push(range)
      last = rangeEnds(range)[1]
    }
    if (ranges[0] && !this.#continues(ranges[0])) return this.#leave()
    const logs = ranges.flatMap((range) => range.logs)
    const { payments } = decodeBoostLogs(logs, this.#cursor.decimals)
    const rows = await withDecimals(this.#deps.chain, payments, last)
    const written = [from, ...rows.map((row) => Object.values(row).join(':'))].join()
    if (written === this.#written) return 'there'
    await this.#deps.store.write(async (tx) => {
      await replaceBoostPayments(tx, { from }, rows)
      await setBoostCursor(tx, this.#cursor)
    })
    this.#written = written
    return 'there'
  }

  /** Whether a range follows the last settled block. */
  #continues({ headers }: ChainRange): boolean {
    const { block } = this.#cursor
    return block === undefined || headers[0]?.parentHash === block.hash
  }

  /** A reorg deeper than confirmations, or a chain that started over. */
  async #leave(): Promise<Progress> {
    if (this.#cursor.block) await this.#deps.confirmLeft(this.#cursor.block)
    await this.#startOver(this.#cursor.chain, 'A reorg removed the last settled block: the server reads all boosts again')
    return 'left'
  }

  async #startOver(chain: string | undefined, reason: string): Promise<void> {
    const cursor = toStart(this.#deps, chain)
    await this.#deps.store.write(async (tx) => {
      await replaceBoostPayments(tx, { from: 0 }, [])
      await setBoostCursor(tx, cursor)
    })
    this.#cursor = cursor
    this.#written = undefined
    this.#deps.onStartOver(reason)
  }
}

function toStart({ contract, startBlock, decimals }: LedgerDeps, chain: string | undefined): BoostCursor {
  return { contract, startBlock, chain, block: undefined, decimals }
}

/** Whether each block follows the one before, as far as the headers are of every block. */
function isLinked({ headers }: ChainRange): boolean {
  return headers.every(({ number, parentHash }, i) => {
    const before = headers[i - 1]
    return before?.number !== number - 1 || before.hash === parentHash
  })
}

function changedMeanwhile(): Failure {
  return new Failure('rpc-unavailable', 'The chain changed while the server read the boosts', { retryable: true })
}

/** Fills in decimals that no log said, as when the start block is after the contract's first: the token itself is asked, at a block that has it. */
async function withDecimals(
  chain: Chain,
  payments: readonly LoggedPayment[],
  since: BoostCursor['block'],
): Promise<BoostPayment[]> {
  const unknown = [...new Set(payments.filter(({ decimals }) => decimals === undefined).map(({ paymentToken }) => paymentToken))]
  const facts = unknown.length === 0 ? [] : await chain.readTokens(unknown, since)
  const asked = new Map(facts.map(({ address, decimals }) => [address, decimals]))
  return payments.map((payment) => ({ ...payment, decimals: payment.decimals ?? asked.get(payment.paymentToken) ?? 0 }))
}
