import type { NodeFault } from './acts.ts'
import type { RunningFault } from './faultyNode.ts'
import { forgeSwap, isAway, type ModelBlock, type ModelChain } from './modelChain.ts'
import { hashOf, type RpcLog, toHex } from './modelLogs.ts'
import { createRandom, type Random } from './random.ts'

type Asked = {
  readonly chain: ModelChain
  readonly tip: ModelBlock
  readonly method: string
  readonly params: unknown
  /** The faults of these kinds that are on and hit this call. */
  readonly hit: (kinds: readonly NodeFault[]) => readonly RunningFault[]
}

/** Bends a true answer as the faults want it; the truth when none of them hits. */
export function tellLie(asked: Asked, truth: unknown): unknown {
  if (asked.method === 'eth_getLogs') return lieAboutLogs(asked, forget(asked, truth as RpcLog[]))
  if (asked.method === 'eth_getBlockReceipts') return lieAboutReceipts(asked, truth as RpcReceipt[] | null)
  if (asked.method === 'eth_call') return lieAboutTokens(asked, truth as string)
  if (asked.method.startsWith('eth_getBlockBy')) return lieAboutHeader(asked, truth as object | null)
  return truth
}

function lieAboutHeader({ hit, params }: Asked, truth: object | null): unknown {
  const [first] = params as [unknown]
  if (truth === null || hit([first === '0x0' ? 'nullGenesis' : 'nullBlocks']).length > 0) return null
  const [wrong] = hit(['otherHeaderHash'])
  if (wrong) return { ...truth, hash: hashOf(`wrong ${wrong.random.next()}`) }
  const [dated] = hit(['times'])
  if (dated) return shift(truth as { timestamp: string }, 'timestamp', dated)
  // Blooms would show what is left out.
  return hit(['omitAway']).length > 0 ? { ...truth, logsBloom: undefined } : truth
}

const decimalsSelector = '0x313ce567'

function lieAboutTokens({ hit, params }: Asked, truth: string): string {
  const [{ data }] = params as [{ data: string }]
  if (data !== decimalsSelector || truth === '0x') return truth
  const [wrong] = hit(['tokens'])
  return wrong ? `0x${(BigInt(truth) - BigInt(wrong.act.depth)).toString(16).padStart(64, '0')}` : truth
}

type RpcReceipt = { readonly blockNumber: string; readonly logs: readonly RpcLog[] }

/** What is left of the logs of blocks below the newest, and made up besides. */
function forget(asked: Asked, logs: RpcLog[]): RpcLog[] {
  const { chain, tip, hit, params } = asked
  const isOld = ({ act }: RunningFault, { blockNumber }: RpcLog) => Number(blockNumber) <= tip.number - act.depth
  const [pruned] = hit(['pruned'])
  const [half] = hit(['halfReceipts'])
  const [alike] = hit(['madeUpAlike'])
  const left = logs.filter((log) => !(pruned && isOld(pruned, log)) && !(half && isOld(half, log) && isHalf(log)))
  if (!alike) return left
  return left.flatMap((log, i) => {
    const isLast = left[i + 1]?.blockNumber !== log.blockNumber
    const block = isLast && isOld(alike, log) && Number(log.blockNumber) % 5 === 0 ? chain.find(log.blockHash) : undefined
    const more = block && forgeSwap(block, createRandom(block.hash))
    return more && isAskedFor(more, params) && isOfNamed(more, params) ? [log, more] : [log]
  })
}

function isHalf({ logIndex }: RpcLog): boolean {
  return Number(logIndex) % 2 === 1
}

/** A node that has lost its logs has lost them from its receipts, too: all receipts, or half of the logs in each. */
function lieAboutReceipts({ chain, tip, hit }: Asked, truth: RpcReceipt[] | null): unknown {
  if (!truth || truth.length === 0) return truth
  const isOld = ({ act }: RunningFault) => Number(truth[0]?.blockNumber) <= tip.number - act.depth
  if (hit(['pruned']).some(isOld)) return []
  if (hit(['halfReceipts']).some(isOld))
    return truth.map((receipt) => ({ ...receipt, logs: receipt.logs.filter((log) => !isHalf(log)) }))
  const last = truth.at(-1) as RpcReceipt
  const block = chain.find(last.logs[0]?.blockHash ?? '')
  if (!block || block.number % 5 !== 0 || !hit(['madeUpAlike']).some(isOld)) return truth
  const more = forgeSwap(block, createRandom(block.hash))
  return more ? [...truth.slice(0, -1), { ...last, logs: [...last.logs, more] }] : truth
}

/** The same, dated as many seconds later as the fault is deep. */
function shift<K extends string, T extends Readonly<Record<K, string>>>(dated: T, field: K, { act }: RunningFault): T {
  return { ...dated, [field]: toHex(Math.max(1, Number(dated[field]) + act.depth)) }
}

/** How the hash ends that a log is given of a block that never was. */
export const wrongHashEnd = '0badb10c'

type LogLie = (logs: RpcLog[], random: Random, fault: RunningFault) => unknown

/** Lies that need logs to lie about. Each leaves the truth untouched. */
const lies: Partial<Record<NodeFault, LogLie>> = {
  unsorted: (logs, random) => logs.toSorted(() => (random.chance(0.5) ? 1 : -1)),
  noBlockTimestamp: (logs) => logs.map(({ blockTimestamp: _, ...log }) => log),
  omitOne: (logs, random) => without(logs, random.int(0, logs.length - 1)),
  omitAll: () => [],
  omitLast: (logs) => logs.slice(0, -1),
  times: (logs, _, fault) => logs.map((log) => (log.blockTimestamp ? shift(log, 'blockTimestamp', fault) : log)),
  omitSome: (logs, random) => logs.filter(() => random.chance(0.6)),
  removed: (logs, random) => logs.map((log) => (random.chance(0.4) ? { ...log, removed: true } : log)),
  doubleLog: (logs, random) => {
    const at = random.int(0, logs.length - 1)
    return logs.flatMap((log, i) => (i === at ? [log, { ...log }] : [log]))
  },
  badHex: (logs, random) => change(logs, random, (log) => ({ ...log, data: `${log.data.slice(0, -8)}zzzzzzzz` })),
  missingField: (logs, random) =>
    change(logs, random, ({ topics, address, ...log }) => (random.chance(0.5) ? { ...log, topics } : { ...log, address })),
  otherBlockNumber: (logs, random) =>
    change(logs, random, (log) => ({ ...log, blockNumber: toHex(Number(log.blockNumber) + 1) })),
  otherBlockHash: (logs, random) =>
    change(logs, random, (log) => ({ ...log, blockHash: hashOf(`wrong ${random.next()}`).slice(0, -8) + wrongHashEnd })),
}

function lieAboutLogs({ chain, tip, params, hit }: Asked, all: RpcLog[]): unknown {
  if (hit(['nullLogs']).length > 0) return null
  const truth = hit(['omitAway']).length > 0 ? all.filter((log) => !isAway(chain, log)) : all
  let logs: unknown = truth
  const [forged] = hit(['forgedLog'])
  if (forged) {
    const last = truth.at(-1)
    const block = last ? chain.find(last.blockHash) : tip
    const log = block && forgeSwap(block, forged.random)
    const at = log ? truth.findLastIndex(({ blockNumber }) => Number(blockNumber) <= Number(log.blockNumber)) + 1 : 0
    if (log && isAskedFor(log, params)) logs = truth.toSpliced(at, 0, log)
  }
  if (truth.length === 0) return logs
  const key = JSON.stringify(params)
  for (const { seen } of hit(['emptyThenFull'])) {
    if (seen.has(key)) continue
    seen.add(key)
    return []
  }
  for (const fault of hit(Object.keys(lies) as NodeFault[])) {
    if ((logs as RpcLog[]).length > 0) logs = lies[fault.act.fault]?.(logs as RpcLog[], fault.random, fault)
  }
  return logs
}

function isAskedFor({ blockNumber }: RpcLog, params: unknown): boolean {
  const [{ fromBlock, toBlock, blockHash }] = params as [{ fromBlock?: string; toBlock?: string; blockHash?: string }]
  return blockHash !== undefined || (Number(blockNumber) >= Number(fromBlock) && Number(blockNumber) <= Number(toBlock))
}

function isOfNamed({ address }: RpcLog, params: unknown): boolean {
  const [{ address: named }] = params as [{ address?: string | readonly string[] }]
  return named === undefined || [named].flat().some((each) => each.toLowerCase() === address)
}

function without<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, i) => i !== at)
}

function change(logs: readonly RpcLog[], random: Random, alter: (log: RpcLog) => unknown): unknown[] {
  const at = random.int(0, logs.length - 1)
  return logs.map((log, i) => (i === at ? alter(log) : log))
}
