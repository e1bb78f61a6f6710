import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import type { ModelBlock } from '../simulation/modelChain.ts'
import { answerTruly, RpcRefusal } from '../simulation/modelNode.ts'
import type { FabricatedChain } from './fabricatedChain.ts'

/** How a public node differs from one of one's own. What is absent does not limit. */
export type PublicNodeLimits = {
  /** Of every answer. */
  readonly latencyMs?: number
  /** Calls of any second; those of a batch count one by one. */
  readonly perSecond?: number
  readonly blocksMax?: number
  readonly logsMax?: number
  /** Whether it reads logs of named contracts only. */
  readonly wantsAddress?: boolean
  readonly addressesMax?: number
  /** Whether logs tell the time of their block. */
  readonly tellsTimes?: boolean
  /** Blocks that it ends before the chain's head. */
  readonly behind?: number
  /** Of so many logs it leaves out one. */
  readonly omitsEvery?: number
  /** Whether its logs have no place in a block. */
  readonly garbles?: boolean
  /** Whether it takes every call and never answers. */
  readonly hangs?: boolean
  /** What it says to a range that is too wide. */
  readonly tooWide?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type NodeClock = { nowMs(): number; pause(ms: number): Promise<unknown> }

export type PublicNode = {
  /** @throws RpcRefusal */
  request(method: string, params: unknown): Promise<unknown>
  /** Calls so far, by what became of them. */
  readonly seen: { answered: number; tooFast: number; tooWide: number; logs: number }
}

/** The usual place of Multicall3. */
export const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'

type Filter = { readonly fromBlock?: string; readonly toBlock?: string; readonly address?: string | readonly string[] }
type Call = { readonly to: string; readonly data: Hex }

/** A node of the chain with the limits of a public one. */
export function createPublicNode(chain: FabricatedChain, limits: PublicNodeLimits, clock: NodeClock): PublicNode {
  const seen = { answered: 0, tooFast: 0, tooWide: 0, logs: 0 }
  const takenAtMs: number[] = []

  const takeRate = () => {
    const now = clock.nowMs()
    while (takenAtMs.length > 0 && (takenAtMs[0] as number) <= now - 1_000) takenAtMs.shift()
    if (takenAtMs.length >= (limits.perSecond ?? Number.POSITIVE_INFINITY)) {
      seen.tooFast += 1
      throw new RpcRefusal(-32_005, 'rate limit exceeded')
    }
    takenAtMs.push(now)
  }
  const checkFilter = ({ fromBlock, toBlock, address }: Filter) => {
    const { blocksMax = Number.POSITIVE_INFINITY, addressesMax = Number.POSITIVE_INFINITY } = limits
    const addresses = address === undefined ? [] : [address].flat()
    if (limits.wantsAddress && addresses.length === 0)
      throw new RpcRefusal(
        -32_701,
        'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
      )
    if (addresses.length > addressesMax) throw new RpcRefusal(-32_602, `too many addresses, at most ${addressesMax} are allowed`)
    if (fromBlock === undefined || Number(toBlock) - Number(fromBlock) + 1 <= blocksMax) return
    seen.tooWide += 1
    const { code, message } = limits.tooWide ?? { code: -32_000, message: `exceed maximum block range: ${blocksMax}` }
    throw new RpcRefusal(code, message)
  }
  const answer = (method: string, params: unknown): unknown => {
    const [first, at] = (params ?? []) as [never, unknown]
    const tip = chain.under(chain.head(), chain.head().number - (limits.behind ?? 0)) as ModelBlock
    if (method === 'eth_call' && (first as Call).to.toLowerCase() === multicall3)
      return runTogether(first as Call, (call) => answerTruly(chain, tip, 'eth_call', [call, at]) as Hex)
    if (method !== 'eth_getLogs') return answerTruly(chain, tip, method, params)
    checkFilter(first)
    const all = answerTruly(chain, tip, method, params) as { blockTimestamp?: string }[]
    const logs = all.filter((_, i) => (seen.logs + i + 1) % (limits.omitsEvery ?? Number.POSITIVE_INFINITY) !== 0)
    seen.logs += all.length
    if (logs.length > (limits.logsMax ?? Number.POSITIVE_INFINITY))
      throw new RpcRefusal(-32_005, `query returned more than ${limits.logsMax} results`)
    if (limits.garbles) return logs.map((log) => ({ ...log, logIndex: '0x' }))
    return limits.tellsTimes === false ? logs.map(({ blockTimestamp: _, ...log }) => log) : logs
  }
  return {
    seen,
    request: async (method, params) => {
      const { latencyMs = 0 } = limits
      if (limits.hangs) await new Promise(() => undefined)
      if (latencyMs > 0) await clock.pause(latencyMs)
      takeRate()
      const result = answer(method, params)
      seen.answered += 1
      return result
    },
  }
}

function runTogether({ data }: Call, run: (call: Call) => Hex): Hex {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data })
  const calls = (args?.[0] ?? []) as readonly { readonly target: string; readonly callData: Hex }[]
  const result = calls.map(({ target, callData }) => {
    try {
      return { success: true, returnData: run({ to: target, data: callData }) }
    } catch {
      return { success: false, returnData: '0x' as const }
    }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}
