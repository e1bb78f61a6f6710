import type { Devnet } from '@chainboard/devnet'
import { CheckFailed } from '../checkFailed.ts'

/** Rows that an index of the chain has to have. */
export type Rows = {
  readonly swaps: number
  /** Hours and UTC days of pools with at least one swap. */
  readonly hours: number
  readonly days: number
  /** Events of pools that are no swaps; undefined for an index that does not keep them. */
  readonly otherEvents: number | undefined
}

/** What the chain has, by its node. */
export type ChainFacts = {
  readonly rows: Rows & { readonly otherEvents: number }
  readonly headNumber: number
}

type Log = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockTimestamp: string
}

const poolCreated = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'
const swap = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const otherPoolEvents = {
  Initialize: '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95',
  Mint: '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
  Burn: '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
  Collect: '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0',
  Flash: '0xbdbdb71d7860376ba52b25a5028beea23581364a40522f6bcfb86bb1f2dca633',
}
const addressDigits = 40

/** Counts the rows that an index should have, from the node's own `eth_getLogs`. */
export async function readChainFacts({ rpc, contracts }: Devnet): Promise<ChainFacts> {
  const headNumber = Number(await rpc<string>('eth_blockNumber'))
  const readLogs = (topics: readonly unknown[], address?: string) =>
    rpc<Log[]>('eth_getLogs', [
      { fromBlock: '0x0', toBlock: `0x${headNumber.toString(16)}`, topics, ...(address ? { address } : {}) },
    ])
  const created = await readLogs([poolCreated], contracts.factory)
  const pools = new Set(created.map(({ data }) => `0x${data.slice(-addressDigits)}`.toLowerCase()))
  const ofPools = (logs: readonly Log[]) => logs.filter(({ address }) => pools.has(address.toLowerCase()))
  const swaps = ofPools(await readLogs([swap]))
  const others = ofPools(await readLogs([Object.values(otherPoolEvents)]))
  const countPeriods = (seconds: number) =>
    new Set(swaps.map(({ address, blockTimestamp }) => `${address} ${Math.floor(Number(blockTimestamp) / seconds)}`)).size
  return {
    headNumber,
    rows: { swaps: swaps.length, hours: countPeriods(3_600), days: countPeriods(86_400), otherEvents: others.length },
  }
}

/** @throws CheckFailed when an index does not have the rows of the chain */
export function checkRows(indexer: string, found: Rows, { rows }: ChainFacts): void {
  for (const table of ['swaps', 'hours', 'days', 'otherEvents'] as const) {
    if (found[table] === rows[table] || (table === 'otherEvents' && found.otherEvents === undefined)) continue
    throw new CheckFailed(`${indexer} holds ${found[table]} ${table}, the chain has ${rows[table]}: nothing was measured`)
  }
}
