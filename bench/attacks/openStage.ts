import { startDevnet } from '@chainboard/devnet'
import type { Address } from 'viem'
import { accounts } from '../../devnet/addresses.ts'
import { at } from '../../devnet/at.ts'
import { createRandom } from '../../devnet/random.ts'
import { createRpc } from '../../devnet/rpc.ts'
import { NotMeasured } from '../notMeasured.ts'
import { deployData, type Transaction } from './chainTools.ts'
import { type LabPool, type LabToken, runData, toRawAmount, transferCall } from './pools.ts'
import type { Head } from './readSite.ts'
import type { Stage } from './stage.ts'
import { openBlocks, type StageBlocks, type TimeStep } from './stageBlocks.ts'
import { createStageTokens } from './stageTokens.ts'

export type OpenedStage = Omit<Stage, 'checkDollars'> & {
  readonly rpcUrl: string
  /** Tokens that the attacker made. */
  madeTokens(): readonly LabToken[]
  /** All pools of the chain and the attacker's. */
  pools(): readonly LabPool[]
  head(): Promise<Head>
  /** Calls back after every block from now on. */
  watch(onBlock: (head: Head) => Promise<void>): void
  /** All that happened since the stage was opened. */
  timeline(): readonly TimeStep[]
  /** Takes the chain, its time and the honest traders back to where the stage was opened. Once. */
  restart(): Promise<void>
  /** Repeats a step of an earlier timeline, with the honest traders alone. */
  repeat(step: TimeStep): Promise<void>
  close(): Promise<void>
}

const ownSupply = 10n ** 27n

/** Starts a new chain with a history of three hours, whose blocks are all mined here. @throws NotMeasured when a contract is not created */
export async function openStage({ seed, signal }: { seed: string; signal: AbortSignal }): Promise<OpenedStage> {
  const devnet = await startDevnet({ history: 'short', live: false, seed, signal })
  const rpc = createRpc(devnet.rpcUrl)
  const blocks = await openBlocks({ rpc, seed, signal })
  const random = createRandom(`${seed} pauses`)
  const tokens = createStageTokens()
  const { token } = tokens
  const [provider, attacker, accomplice, trader] = [accountAt(0), accountAt(2), accountAt(3), accountAt(4)]
  const block = async (transactions: readonly Transaction[] = [], everySeconds = random.next() < 0.7 ? 2 : 3) =>
    void (await blocks.mine(transactions, everySeconds, 'live'))
  const [kit, accompliceKit, traderKit] = [
    await deploy(blocks, { from: attacker, data: deployData('DevAttacker') }),
    await deploy(blocks, { from: accomplice, data: deployData('DevAttacker') }),
    await deploy(blocks, { from: trader, data: deployData('DevAttacker') }),
  ]
  await blocks.begin()
  return {
    rpcUrl: devnet.rpcUrl,
    rpc,
    get honest() {
      return blocks.honest()
    },
    ...{ attacker, kit, accomplice, accompliceKit, trader, traderKit, provider },
    seconds: blocks.seconds,
    token,
    pool: tokens.pool,
    fairPrice: ({ base, quote }) => {
      const [baseUsd, quoteUsd] = [base, quote].map(({ symbol }) => blocks.honest().usdOf(symbol))
      if (!baseUsd || !quoteUsd) throw new NotMeasured(`${base.symbol}/${quote.symbol} has no honest price`)
      return baseUsd / quoteUsd
    },
    makeToken: async (contract, symbol, usd) => {
      const args = contract === 'DevToken' ? [symbol, symbol, 18, ownSupply] : [symbol, symbol, ownSupply]
      tokens.add({ symbol, address: await deploy(blocks, { from: attacker, data: deployData(contract, args) }), decimals: 18 })
      blocks.honest().setPrice(symbol, usd)
      await block([{ from: attacker, ...transferCall(token(symbol), kit, ownSupply / 2n) }])
      return token(symbol)
    },
    fund: (symbol, whole, to = kit) =>
      block([{ from: provider, ...transferCall(token(symbol), to, toRawAmount(token(symbol), whole)) }]),
    act: (...calls) => block([{ from: attacker, to: kit, data: runData(calls) }]),
    block,
    skipTo: blocks.skipTo,
    reorg: blocks.reorg,
    timeline: blocks.timeline,
    restart: blocks.restart,
    repeat: blocks.repeat,
    madeTokens: tokens.made,
    pools: tokens.pools,
    head: blocks.head,
    watch: blocks.watch,
    close: async () => {
      rpc.close()
      await devnet.stop()
    },
  }
}

async function deploy(blocks: StageBlocks, transaction: Transaction): Promise<Address> {
  const [receipt] = await blocks.mine([transaction], 2, 'live')
  if (!receipt?.contractAddress) throw new NotMeasured('a contract of the lab was not created')
  return receipt.contractAddress
}

/** @throws RangeError when the chain has no such account */
function accountAt(place: number): Address {
  return at(accounts, place).address
}
