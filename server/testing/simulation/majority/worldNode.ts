import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import type { RpcNode } from '../../../chain/rpcNode.ts'
import { forgeSwap, type ModelBlock, type ModelChain } from '../modelChain.ts'
import { hashOf, type RpcLog, toHex } from '../modelLogs.ts'
import { answerTruly, RpcRefusal } from '../modelNode.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtualClock.ts'
import type { Manner, Phase, WorldNode } from './drawWorld.ts'

export type WorldNodeParts = {
  readonly clock: VirtualClock
  readonly chain: ModelChain
  readonly random: Random
  readonly blockMs: number
  /** The newest block that the chain had then. */
  readonly tipAt: (atMs: number) => ModelBlock
  readonly seconds: () => number
  readonly liesEndAt: number
}

const url = 'http://node.invalid'
const callLimitMs = 15_000
const latencyMs: Readonly<Record<Manner | 'liar', readonly [number, number]>> = {
  fine: [20, 150],
  late: [20, 300],
  slow: [500, 2_000],
  flaky: [20, 300],
  balancer: [20, 300],
  liar: [20, 150],
}
const failingShare = 0.1
/** Calls within this count as of one moment. */
const togetherMs = 30
const creepMax = 500

/** A node of the world, as the index and as who compares it ask it. */
export function createWorldNode(of: WorldNode, parts: WorldNodeParts): { readonly toIndex: RpcNode; readonly toOthers: RpcNode } {
  const { clock, random } = parts
  const manner = 'manner' in of ? of.manner : undefined
  const [latencyMin, latencyMax] = latencyMs[manner ?? 'liar']
  const lagMs = manner === 'late' ? random.int(500, Math.min(9_000, 3 * parts.blockMs + 500)) : 0
  const liar = 'phases' in of ? createLiar(of.phases, parts) : undefined
  let askedAtMs: number[] = []
  const toNode = (isIndex: boolean): RpcNode => ({
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const nowMs = clock.nowMs()
        askedAtMs = [...askedAtMs.filter((atMs) => nowMs - atMs < togetherMs), nowMs]
        const batch = askedAtMs
        const phase = liar?.phase()
        const hangs = phase?.lie === 'hangs'
        const fails = manner === 'flaky' ? random.chance(failingShare) : phase?.lie === 'fails' && random.chance(phase.share)
        const waitMs = hangs ? callLimitMs : random.int(latencyMin, latencyMax)
        clock.after(waitMs, () => {
          if (hangs) return reject(new TimeoutError({ body: {}, url }))
          if (fails) return reject(new HttpRequestError({ url, status: 502, details: 'Bad Gateway' }))
          const isBehind = manner === 'balancer' && random.chance(0.5)
          const tip = parts.tipAt(clock.nowMs() - lagMs - (isBehind ? 2 * parts.blockMs : 0))
          const call = { method, params: params as unknown[], tip }
          const isLie =
            phase !== undefined && isHeard(phase, { isIndex, together: batch.length > 1 }) && random.chance(phase.share)
          try {
            resolve(isLie ? liar?.lie(phase, call) : answerTruly(parts.chain, tip, method, params))
          } catch (error) {
            if (!(error instanceof RpcRefusal)) throw error
            reject(new RpcRequestError({ body: {}, error: { code: error.code, message: error.message }, url }))
          }
        })
      }),
  })
  return { toIndex: toNode(true), toOthers: toNode(false) }
}

function isHeard({ to }: Phase, { isIndex, together }: { readonly isIndex: boolean; readonly together: boolean }): boolean {
  if (to === 'index') return isIndex
  if (to === 'together') return together
  return to === 'all' || !together
}

type Asked = { readonly method: string; readonly params: readonly unknown[]; readonly tip: ModelBlock }

function createLiar(phases: readonly Phase[], { chain, random, seconds, liesEndAt }: WorldNodeParts) {
  let of: Phase | undefined
  let branch: ModelBlock | undefined
  let [ahead, nextAt] = [0, 0]

  const under = (tip: ModelBlock, depth: number) => chain.under(tip, Math.max(2, tip.number - depth)) as ModelBlock
  /** A branch that leaves the chain `depth` blocks down, and ends `more` above it. */
  const branchOf = (tip: ModelBlock, depth: number, more = 0): ModelBlock => {
    branch ??= under(tip, depth)
    while (branch.number < tip.number + more) {
      const seconds = chain.under(tip, branch.number + 1)?.timestampSeconds ?? tip.timestampSeconds
      branch = chain.extend(branch, Math.max(branch.timestampSeconds, seconds))
    }
    return branch
  }
  const forge = (logs: readonly RpcLog[], { params, tip }: Asked): readonly RpcLog[] => {
    const [{ blockHash, toBlock }] = params as [{ blockHash?: string; toBlock?: string }]
    const block = blockHash ? chain.find(blockHash) : chain.under(tip, Math.min(tip.number, Number(toBlock)))
    const made = block && forgeSwap(block, random)
    return made ? [...logs, made] : logs
  }

  return {
    phase: () => (seconds() < liesEndAt ? phases.findLast(({ atSeconds }) => atSeconds <= seconds()) : undefined),
    lie: (phase: Phase, asked: Asked): unknown => {
      if (of !== phase) [of, branch, ahead, nextAt] = [phase, undefined, 0, 0]
      const { method, params, tip } = asked
      const { size } = phase
      const truth = () => answerTruly(chain, tip, method, params)
      const at = (block: ModelBlock) => answerTruly(chain, block, method, params)
      const isHeader = method === 'eth_getBlockByNumber'
      const isHead = isHeader && params[0] === 'latest'
      switch (phase.lie) {
        case 'ownBranch':
          return at(branchOf(tip, Math.min(size, 8)))
        case 'deepBranch':
          return at(branchOf(tip, Math.min(size, 80)))
        case 'branchAhead':
          return at(branchOf(tip, 3, Math.min(size, 200)))
        case 'otherTips':
          if (seconds() >= nextAt) [branch, nextAt] = [undefined, seconds() + Math.min(size, 60)]
          return at(branchOf(tip, 1))
        case 'flips':
          return random.chance(0.5) ? at(branchOf(tip, Math.min(size, 8))) : truth()
        case 'headersOfABranch':
          return isHeader ? at(branchOf(tip, Math.min(size, 8))) : truth()
        case 'creeps':
          if (isHead) ahead = Math.min(creepMax, ahead + random.int(1, 40))
          return at(branchOf(tip, 0, ahead))
        case 'farHead':
          return isHead
            ? { ...(truth() as object), number: toHex(tip.number + size), hash: hashOf(`far ${tip.number}`) }
            : truth()
        case 'behind':
          return at(under(tip, size))
        case 'frozen':
          branch ??= tip
          return at(branch)
        case 'deniesBlocks':
          return isHeader && !isHead ? null : truth()
        case 'refusesHeaders':
        case 'refusesTheFirstBlock':
          if (isHeader && (phase.lie === 'refusesHeaders' ? !isHead : Number(params[0]) === 0))
            throw new RpcRefusal(-32_000, 'header not found')
          return truth()
        case 'otherChain':
          return method === 'eth_chainId' ? '0x1' : truth()
        case 'omitsLogs':
          return method === 'eth_getLogs' ? (truth() as RpcLog[]).filter(() => size < 100 && random.chance(0.5)) : truth()
        case 'makesLogsUp':
          return method === 'eth_getLogs' ? forge(truth() as RpcLog[], asked) : truth()
        case 'misdates': {
          const header = truth() as { timestamp: string } | null
          return isHeader && header ? { ...header, timestamp: toHex(Number(header.timestamp) + size) } : header
        }
        default:
          return truth()
      }
    },
  }
}
