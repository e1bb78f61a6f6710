import type { NodeFault } from './acts.ts'
import type { RunningFault } from './faultyNode.ts'
import { forgeSwap, isAway, type ModelBlock, type ModelChain } from './modelChain.ts'
import { hashOf, type RpcLog, toHex } from './modelLogs.ts'
import type { Random } from './random.ts'

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
  if (asked.method === 'eth_getLogs') return lieAboutLogs(asked, truth as RpcLog[])
  if (asked.method.startsWith('eth_getBlockBy')) return lieAboutHeader(asked, truth as object | null)
  return truth
}

function lieAboutHeader({ hit, params }: Asked, truth: object | null): unknown {
  const [first] = params as [unknown]
  if (truth === null || hit([first === '0x0' ? 'nullGenesis' : 'nullBlocks']).length > 0) return null
  const [wrong] = hit(['otherHeaderHash'])
  if (wrong) return { ...truth, hash: hashOf(`wrong ${wrong.random.next()}`) }
  // Blooms would show what is left out.
  return hit(['omitAway']).length > 0 ? { ...truth, logsBloom: undefined } : truth
}

/** How the hash ends that a log is given of a block that never was. */
export const wrongHashEnd = '0badb10c'

type LogLie = (logs: RpcLog[], random: Random) => unknown

/** Lies that need logs to lie about. Each leaves the truth untouched. */
const lies: Partial<Record<NodeFault, LogLie>> = {
  unsorted: (logs, random) => logs.toSorted(() => (random.chance(0.5) ? 1 : -1)),
  noBlockTimestamp: (logs) => logs.map(({ blockTimestamp: _, ...log }) => log),
  omitOne: (logs, random) => without(logs, random.int(0, logs.length - 1)),
  omitAll: () => [],
  omitLast: (logs) => logs.slice(0, -1),
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
    if ((logs as RpcLog[]).length > 0) logs = lies[fault.act.fault]?.(logs as RpcLog[], fault.random)
  }
  return logs
}

function isAskedFor({ blockNumber }: RpcLog, params: unknown): boolean {
  const [{ fromBlock, toBlock, blockHash }] = params as [{ fromBlock?: string; toBlock?: string; blockHash?: string }]
  return blockHash !== undefined || (Number(blockNumber) >= Number(fromBlock) && Number(blockNumber) <= Number(toBlock))
}

function without<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, i) => i !== at)
}

function change(logs: readonly RpcLog[], random: Random, alter: (log: RpcLog) => unknown): unknown[] {
  const at = random.int(0, logs.length - 1)
  return logs.map((log, i) => (i === at ? alter(log) : log))
}
