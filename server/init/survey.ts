import { type Address, parseAddress, rawToDecimal } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import type { Limits } from '../doctor/doctorRun.ts'
import { hasCodeAt } from '../doctor/findCreationBlock.ts'
import { findWidestRange } from '../doctor/findWidestRange.ts'
import { usualMulticall } from '../networkFile.ts'
import { type Asker, unsettled } from './asker.ts'
import type { PublicChain } from './describeChain.ts'
import { findRefusal, listFactories } from './findFactory.ts'
import { findStart } from './findStart.ts'
import { listWrapped, readManaged, type WrappedCandidate } from './findWrapped.ts'
import { gatherCalls } from './gatherCalls.ts'
import type { InitFlags } from './initFlags.ts'
import { type BlockRhythm, measureBlocks } from './measureBlocks.ts'
import { parseNumber } from './parseFlags.ts'
import type { SurveyedNode } from './reachNode.ts'
import { type PoolSurvey, readPools } from './readPools.ts'
import { type RecentActivity, readRecentActivity } from './recentActivity.ts'
import { type SurveyedMarket, stablesWanted, surveyMarket } from './surveyMarket.ts'

/** Pools that are looked at, with a multicall and without. */
const poolsMax = { gathered: 1_000, alone: 60 }

export type SurveyDeps = {
  readonly node: SurveyedNode
  readonly limits: Limits
  readonly flags: InitFlags
  readonly asker: Asker
  readonly say: (line: string) => void
  readonly publicChain: PublicChain | undefined
}

/** What the chain and the operator settled about an exchange and its tokens. */
export type Survey = SurveyedMarket &
  BlockRhythm & {
    readonly logRangeMax: number
    readonly multicall: string | undefined
    readonly factory: Address
    readonly startBlock: number
  }

/** Asks the chain what it can say of an exchange, and the operator the rest. @throws Failure `config-invalid`, `rpc-…` */
export async function surveyChain(deps: SurveyDeps): Promise<Survey> {
  const { node, say } = deps
  const { chain } = node
  const rhythm = await measureBlocks(chain, node.head)
  say(`${describeRhythm(rhythm.blockSeconds)}; ${rhythm.confirmations} blocks may still change`)
  const logRangeMax = await findLogRange(deps)
  const multicall = await findMulticall(chain, deps.publicChain)
  const calls = multicall.address ? gatherCalls(chain, multicall.address) : chain
  const activity = await readRecentActivity(chain, { head: node.headNumber, width: logRangeMax })
  const factory = await settleFactory(deps, calls, activity)
  const startBlock = await settleStart(deps, factory, logRangeMax)
  const found = await readPools(chain, calls, {
    ...{ factory, startBlock, head: node.headNumber, width: logRangeMax, traded: activity.swaps.keys() },
    poolsMax: multicall.address ? poolsMax.gathered : poolsMax.alone,
  })
  say(describePools(found))
  const wrapped = await settleWrapped(deps, calls, { factory, found, activity, width: logRangeMax })
  const market = await surveyMarket({ ...deps, calls, pools: found.pools, wrapped })
  return { ...market, ...rhythm, logRangeMax, multicall: multicall.named, factory, startBlock }
}

async function findLogRange({ node, limits, say }: SurveyDeps): Promise<number> {
  const { answered, refusal } = await findWidestRange(limits, node, { from: undefined, logRangeMax: undefined })
  if (answered === undefined)
    throw unsettled([
      { field: node.field, found: `"${refusal?.said ?? 'no answer'}" to eth_getLogs`, wanted: 'logs. Use another node' },
    ])
  say(`Logs: ${answered} blocks at once`)
  return answered
}

type Multicall = { readonly address: Address | undefined; readonly named: string | undefined }

/** `named`: for the network file, where it is not the usual one. */
async function findMulticall(chain: Chain, publicChain: PublicChain | undefined): Promise<Multicall> {
  const listed = publicChain?.multicall && parseAddress(publicChain.multicall)
  for (const address of [usualMulticall, ...(listed && listed !== usualMulticall ? [listed] : [])])
    if (await hasCodeAt(chain, address)) return { address, named: address === usualMulticall ? undefined : address }
  return { address: undefined, named: undefined }
}

async function settleFactory(
  { flags, asker, say }: SurveyDeps,
  calls: Pick<Chain, 'forward'>,
  { swaps }: RecentActivity,
): Promise<Address> {
  const what = "the address of the exchange's Uniswap v3 factory"
  const candidates = flags.factory === undefined ? await listFactories(calls, swaps) : []
  for (const { factory, swaps: count } of candidates) say(`Found factory ${factory}: ${count} of the newest trades`)
  const proposal = candidates[0]?.factory
  const factory = await asker.settle({ flag: 'factory', what, given: flags.factory, proposal, parse: parseAddress })
  const refusal = await findRefusal(calls, factory)
  if (refusal !== undefined) throw unsettled([{ field: '--factory', found: refusal, wanted: what }])
  return factory
}

async function settleStart({ node, limits, flags, asker, say }: SurveyDeps, factory: Address, width: number): Promise<number> {
  const parse = (text: string) => parseNumber(text, node.headNumber)
  const what = `the block in which the factory was created or an earlier one, at most ${node.headNumber}`
  const start = flags['start-block'] === undefined ? await findStart(limits, node, { factory, width }) : undefined
  if (start) {
    const words = { state: 'the block of its creation', 'first pool': 'the block of its first pool: the node has no older state' }
    say(`Factory ${factory} begins at block ${start.block}, ${words[start.source]}`)
    return start.block
  }
  if (flags['start-block'] === undefined)
    say('The node has no state of past blocks and does not return all logs at once: look the factory up in an explorer')
  return asker.settle({ flag: 'start-block', what, given: flags['start-block'], parse })
}

function describePools({ pools, hasMore }: PoolSurvey): string {
  if (pools.length === 0) return 'No pool was found'
  return `${pools.length} pools${hasMore ? ', the most traded and the oldest; the others were not checked' : ''}`
}

type WrappedDeps = {
  readonly factory: Address
  readonly found: PoolSurvey
  readonly activity: RecentActivity
  readonly width: number
}

async function settleWrapped(
  { node, flags, asker, say }: SurveyDeps,
  calls: Pick<Chain, 'forward'>,
  { factory, found, activity, width }: WrappedDeps,
): Promise<Address> {
  const named = flags['position-manager']
  const manager = named === undefined ? undefined : parseAddress(named)
  const what = 'the address of the wrapped coin'
  if (named !== undefined && !(manager && (await readManaged(calls, manager, factory))))
    throw unsettled([{ field: '--position-manager', found: 'another contract', wanted: "this factory's position manager" }])
  const candidates =
    flags.wrapped === undefined
      ? await listWrapped(node.chain, calls, {
          ...{ factory, pools: found.pools, createdAt: found.createdAt, head: node.headNumber, width },
          providers: manager ? [manager] : activity.providers,
        })
      : []
  for (const candidate of candidates) say(describeWrapped(candidate))
  const [best] = candidates
  if (!best && flags.wrapped === undefined) asker.foresee({ flag: 'stables', what: stablesWanted, given: flags.stables })
  // The exchange's own contract names it, and its coins are there: that is no matter of opinion.
  const harmless = best?.manager !== undefined && best.isBacked
  return asker.settle({ flag: 'wrapped', what, given: flags.wrapped, proposal: best?.address, harmless, parse: parseAddress })
}

function describeWrapped({ address, manager, coinsRaw, isBacked }: WrappedCandidate): string {
  const coins = `${rawToDecimal(coinsRaw / 10n ** 14n, 4)} coins`
  const backing = isBacked ? `holds ${coins}, one for each token` : `holds ${coins}, not one for each token`
  return `Found wrapped coin ${address}: ${manager ? `named by the position manager ${manager}, ` : ''}${backing}`
}

function describeRhythm(blockSeconds: number): string {
  if (blockSeconds < 0.1) return 'More than 10 blocks a second'
  return `A block every ${Math.round(blockSeconds * 100) / 100} s`
}
