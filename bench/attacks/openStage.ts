import { startDevnet } from '@chainboard/devnet'
import type { Address } from 'viem'
import { accounts, getDevAddress } from '../../devnet/addresses.ts'
import { readHead } from '../../devnet/generate.ts'
import { pools as devPools } from '../../devnet/pools.ts'
import { createRandom } from '../../devnet/random.ts'
import { createRpc } from '../../devnet/rpc.ts'
import { listedTokens } from '../../devnet/tokens.ts'
import { createMaker } from '../../devnet/tradeBlock.ts'
import { deployData, readReceipts, sendLast, type Transaction } from './chainTools.ts'
import { createHonestMarket } from './honestMarket.ts'
import { type LabPool, type LabToken, runData, toLabPool, toRawAmount, transferCall } from './pools.ts'
import type { Head } from './readSite.ts'
import type { Stage } from './stage.ts'

/** What happened to the chain, by transactions of anybody. `isWatched`: the server was looked at after it. */
export type TimeStep =
  | { readonly kind: 'block'; readonly seconds: number; readonly pace: 'live' | 'minute'; readonly isWatched: boolean }
  | { readonly kind: 'reorg'; readonly depth: number }

export type OpenedStage = Omit<Stage, 'checkDollars'> & {
  readonly rpcUrl: string
  /** Tokens that the attacker made. */
  madeTokens(): readonly LabToken[]
  /** All pools of the chain and the attacker's. */
  pools(): readonly LabPool[]
  head(): Promise<Head>
  /** From now on told after every block. */
  watch(onBlock: (head: Head) => Promise<void>): void
  /** All that happened since the stage was opened. */
  timeline(): readonly TimeStep[]
  /** Takes the chain, its time and the honest traders back to where the stage was opened. Once. */
  restart(): Promise<void>
  /** Does a step of an earlier time again, with the honest traders alone. */
  repeat(step: TimeStep): Promise<void>
  close(): Promise<void>
}

const minute = 60
const ownSupply = 10n ** 27n

/** Starts a fresh chain with a history of three hours, whose blocks are all made here. */
export async function openStage({ seed, signal }: { seed: string; signal: AbortSignal }): Promise<OpenedStage> {
  const devnet = await startDevnet({ history: 'short', live: false, seed, signal })
  const rpc = createRpc(devnet.rpcUrl)
  await rpc.call('evm_setAutomine', [false])
  const maker = createMaker(rpc)
  let honest = await createHonestMarket(rpc, seed)
  const random = createRandom(`${seed} pauses`)
  let { seconds } = await readHead(rpc)
  let onBlock: (head: Head) => Promise<void> = async () => {}
  let isWatched = true
  const timeline: TimeStep[] = []
  const [provider, attacker, accomplice, trader] = [accountAt(0), accountAt(2), accountAt(3), accountAt(4)]
  const made = new Map<string, LabToken>()
  const pools = new Map<Address, LabPool>()

  const token = (symbol: string): LabToken => {
    const listed = listedTokens.find((each) => each.symbol === symbol)
    const found = made.get(symbol) ?? (listed && { symbol, address: getDevAddress(symbol), decimals: listed.decimals })
    if (!found) throw new Error(`the lab has no token ${symbol}`)
    return found
  }
  const pool = (base: string, quote: string, fee: number) => {
    const found = toLabPool(token(base), token(quote), fee)
    const kept = { ...found, address: found.address.toLowerCase() as Address }
    pools.set(kept.address, kept)
    return kept
  }
  for (const { base, quote, feeTier } of devPools) pool(base, quote, feeTier)

  const head = async () => {
    const { number, seconds } = await readHead(rpc)
    return { number, seconds }
  }
  const mine = async (transactions: readonly Transaction[], everySeconds: number, pace: 'live' | 'minute') => {
    signal.throwIfAborted()
    seconds += everySeconds
    timeline.push({ kind: 'block', seconds, pace, isWatched })
    await maker.readNonces()
    await maker.send(honest.next(seconds, pace), false)
    const hashes = await sendLast(rpc, transactions)
    await rpc.call('evm_mine', [{ timestamp: seconds }])
    const now = await head()
    honest.record(now.number)
    const receipts = await readReceipts(rpc, hashes)
    if (isWatched) await onBlock(now)
    return receipts
  }
  const block = async (transactions: readonly Transaction[] = [], everySeconds = random.next() < 0.7 ? 2 : 3) =>
    void (await mine(transactions, everySeconds, 'live'))
  const deploy = async (transaction: Transaction): Promise<Address> => {
    const [receipt] = await mine([transaction], 2, 'live')
    if (!receipt?.contractAddress) throw new Error('a contract of the lab was not created')
    return receipt.contractAddress
  }
  const kit = await deploy({ from: attacker, data: deployData('DevAttacker') })
  const accompliceKit = await deploy({ from: accomplice, data: deployData('DevAttacker') })
  const traderKit = await deploy({ from: trader, data: deployData('DevAttacker') })
  const unwatched = async (part: () => Promise<unknown>) => {
    isWatched = false
    await part()
    isWatched = true
  }
  const reorg = async (depth: number) => {
    timeline.push({ kind: 'reorg', depth })
    const before = await head()
    await rpc.call('anvil_reorg', [depth, []])
    honest.rewind(before.number - depth)
    const now = await head()
    for (let number = before.number - depth + 1; number <= now.number; number += 1) honest.record(number)
    await onBlock(now)
  }
  // Traders draw from here on, so that the same is drawn after a restart.
  honest = await createHonestMarket(rpc, seed)
  const openedAt = { seconds, snapshot: await rpc.call<string>('evm_snapshot', []) }
  timeline.length = 0

  return {
    rpcUrl: devnet.rpcUrl,
    rpc,
    get honest() {
      return honest
    },
    attacker,
    kit,
    accomplice,
    accompliceKit,
    trader,
    traderKit,
    provider,
    seconds: () => seconds,
    token,
    pool,
    fairPrice: ({ base, quote }) => {
      const [baseUsd, quoteUsd] = [base, quote].map(({ symbol }) => honest.usdOf(symbol))
      if (!baseUsd || !quoteUsd) throw new Error(`${base.symbol}/${quote.symbol} has no honest price`)
      return baseUsd / quoteUsd
    },
    makeToken: async (contract, symbol, usd) => {
      const args = contract === 'DevToken' ? [symbol, symbol, 18, ownSupply] : [symbol, symbol, ownSupply]
      const address = await deploy({ from: attacker, data: deployData(contract, args) })
      made.set(symbol, { symbol, address, decimals: 18 })
      honest.setPrice(symbol, usd)
      const { to, data } = transferCall(token(symbol), kit, ownSupply / 2n)
      await block([{ from: attacker, to, data }])
      return token(symbol)
    },
    fund: async (symbol, whole, to = kit) => {
      const call = transferCall(token(symbol), to, toRawAmount(token(symbol), whole))
      await block([{ from: provider, ...call }])
    },
    act: (...calls) => block([{ from: attacker, to: kit, data: runData(calls) }]),
    block,
    skipTo: (until) =>
      unwatched(async () => {
        while (seconds < until) await mine([], Math.min(minute, until - seconds), 'minute')
      }),
    reorg,
    timeline: () => [...timeline],
    restart: async () => {
      if (!(await rpc.call<boolean>('evm_revert', [openedAt.snapshot]))) throw new Error('the chain cannot be taken back')
      seconds = openedAt.seconds
      timeline.length = 0
      honest = await createHonestMarket(rpc, seed)
    },
    repeat: async (step) => {
      if (step.kind === 'reorg') return reorg(step.depth)
      const mineAgain = () => mine([], step.seconds - seconds, step.pace)
      await (step.isWatched ? mineAgain() : unwatched(mineAgain))
    },
    madeTokens: () => [...made.values()],
    pools: () => [...pools.values()],
    head,
    watch: (listener) => {
      onBlock = listener
    },
    close: async () => {
      rpc.close()
      await devnet.stop()
    },
  }
}

/** @throws Error when the chain has no such account */
function accountAt(place: number): Address {
  const account = accounts[place]
  if (!account) throw new Error(`the devnet has no account ${place}`)
  return account.address
}
