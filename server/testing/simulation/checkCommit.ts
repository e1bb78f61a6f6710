import { DatabaseSync } from 'node:sqlite'
import { noGenesis } from '../../chain/chainIdentity.ts'
import { type ModelChain, placesOfBlock } from './modelChain.ts'
import { leavesNoTrace, type RpcLog } from './modelLogs.ts'
import { wrongHashEnd } from './tellLie.ts'

type BlockName = { readonly number: number; readonly hash: string }
type Cursor = BlockName | undefined
/** A block that the index refers to, and when it was made, by the index. */
type Reference = BlockName & { readonly timestamp: number }

export type Violation = { readonly property: string; readonly detail: string }

export type CommitCheck = {
  /** Looks at what was just committed. @param alone whether it was outside any transaction */
  look(alone: boolean): Violation | undefined
  /**
   * Whether the index has the events of the chain up to its last block, by their number, places and times, and its tokens' decimals, with
   * nothing left to be valued again; true where that block is no longer the chain's.
   */
  isWhole(): boolean
  /** Whether all that the index lacks is what only receipts show: while every node has forgotten it, nothing can notice. */
  lacksTracelessOnly(): boolean
  /** Whether the index names the chain's first block: nodes that do not have it leave it open, until one is asked that does. */
  isNamed(): boolean
  close(): void
}

export type CommitCheckOptions = {
  readonly file: string
  readonly chain: ModelChain
  /** The deepest that the index may be taken back while the chain has not changed its mind. */
  readonly rewindMax: number
  readonly note: (what: string) => void
}

/** Of a range with more blocks the logs' hashes are not compared with headers, so that history stays cheap. */
const comparedBlocksMax = 64

/** What has to hold after every commit, whatever happened: looked at through a connection that no fault reaches. */
export function createCommitCheck({ file, chain, rewindMax, note }: CommitCheckOptions): CommitCheck {
  const db = new DatabaseSync(file, { readOnly: true })
  const ends = db.prepare(
    `select c.block_number as number, c.block_hash as hash,
      (select hash from blocks where number = c.block_number) as stored,
      (select max(number) from blocks) as newest,
      max(coalesce((select max(block_number) from swaps), 0), coalesce((select max(block_number) from pool_events), 0)) as last
    from sync_cursor c`,
  )
  const counts = db.prepare(
    `select count(*) as events, coalesce(sum(block_number * ${placesOfBlock} + log_index), 0) as places,
      coalesce(sum(timestamp), 0) as times
    from (select block_number, log_index, timestamp from swaps union all select block_number, log_index, timestamp from pool_events)`,
  )
  const places = db.prepare(
    'select block_number as number, log_index as log from swaps union all select block_number, log_index from pool_events',
  )
  const listPools = db.prepare('select address from pools')
  const tokens = db.prepare('select address, decimals from tokens')
  const asked = db.prepare('select 1 from old_dollars')
  const unnamed = db.prepare(`select 1 from sync_cursor where identity like '%:${noGenesis}:%'`)
  const listNew = db.prepare('select number, hash, timestamp from blocks where number > ?')
  let before: Cursor
  /** References that the index had when it was last looked at. */
  let known: Reference[] = []
  let wasWhole = true
  /** Whether the index has all events up to its last block, also where the chain has left that block since. */
  const hasItsEvents = () => {
    if (!before) return true
    const { events, places, times } = counts.get() as { events: number; places: number; times: number }
    const block = chain.find(before.hash)
    return events === block?.eventsSoFar && places === block.placesSoFar && times === block.timesSoFar
  }
  /** What the chain still has, below the first block that the index dates wrongly: from there on it has to be read again. */
  const listShared = () => {
    const wrong = known.filter(({ hash, timestamp }) => (chain.find(hash)?.timestampSeconds ?? timestamp) !== timestamp)
    const below = Math.min(...wrong.map(({ number }) => number))
    return known.filter(({ number, hash }) => number < below && chain.isCanonical(hash))
  }
  const lacksTracelessOnly = () => {
    const rows = places.all() as { number: number; log: number }[]
    const has = new Set(rows.map(({ number, log }) => `${number} ${log}`))
    const missing: RpcLog[] = []
    for (let block = before && chain.find(before.hash); block; block = block.parent) {
      const { number, pools } = block
      missing.push(
        ...block.logs.filter(({ address, logIndex }) => pools.has(address) && !has.has(`${number} ${Number(logIndex)}`)),
      )
    }
    const known = before && chain.find(before.hash)?.eventsSoFar
    const pools = new Set((listPools.all() as { address: string }[]).map(({ address }) => address))
    // A pool whose creation is missing shows itself when something happens to it later.
    const isUnseen = ({ address, blockNumber }: RpcLog) =>
      !pools.has(address) && missing.every((log) => log.address !== address || log.blockNumber === blockNumber)
    const isTraceless = (log: RpcLog) => leavesNoTrace(log) || isUnseen(log)
    return missing.every(isTraceless) && rows.length + missing.length === known && hasItsTokens()
  }
  const hasItsTokens = () => {
    const rows = tokens.all() as { address: string; decimals: number }[]
    return rows.every(({ address, decimals }) => decimals === chain.tokens.get(address)?.decimals) && asked.get() === undefined
  }
  const isWhole = () => !before || !chain.isCanonical(before.hash) || (hasItsEvents() && hasItsTokens())
  return {
    isWhole,
    lacksTracelessOnly,
    isNamed: () => unnamed.get() === undefined,
    close: () => db.close(),
    look: (alone) => {
      if (alone) return { property: 'one transaction', detail: 'a statement changed the store outside of any transaction' }
      const row = ends.get() as
        | { number: number | null; hash: string; stored: string | null; newest: number; last: number }
        | undefined
      const cursor = row && row.number !== null ? { number: row.number, hash: row.hash } : undefined
      const back = before && (cursor?.number ?? -1) < before.number
      const shared = back ? listShared() : []
      // What is not whole may be taken back as far as it takes to read it again.
      const erased = back && wasWhole && before && judgeMove(before, cursor, { known: shared, rewindMax })
      if (back) note('the index was taken back')
      known = known.filter(({ number }) => cursor !== undefined && number <= cursor.number)
      const added = listNew.all(back ? (cursor?.number ?? -1) : (before?.number ?? -1)) as Reference[]
      known.push(...added)
      before = cursor
      wasWhole = hasItsEvents()
      if (erased) return { property: 'nothing true is erased', detail: erased }
      const wrong = added.length > comparedBlocksMax ? undefined : added.find(({ hash }) => hash.endsWith(wrongHashEnd))
      if (wrong)
        return { property: 'logs are of the chain', detail: `block ${wrong.number} is stored as ${wrong.hash}, by its logs` }
      if (!row || !cursor)
        return row && row.last > 0 ? { property: 'cursor and rows agree', detail: 'rows without a cursor' } : undefined
      if (row.newest > cursor.number || row.last > cursor.number)
        return {
          property: 'cursor and rows agree',
          detail: `cursor ${cursor.number}, rows up to ${Math.max(row.newest, row.last)}`,
        }
      if (row.stored !== cursor.hash)
        return { property: 'cursor and rows agree', detail: `cursor ${cursor.hash}, its block is ${row.stored}` }
      return undefined
    },
  }
}

/** Blocks that are still the chain's may be taken back a little, where nodes disagree; no deeper, and never all of them. */
function judgeMove(
  before: BlockName,
  after: Cursor,
  { known, rewindMax }: { readonly known: readonly BlockName[]; readonly rewindMax: number },
): string | undefined {
  const shared = known.reduce((highest, { number }) => Math.max(highest, number), -1)
  if (shared < 0 || (after && after.number >= shared - rewindMax)) return undefined
  const to = after ? `to ${after.number}` : 'to nothing'
  return `taken back from ${before.number} ${to}, though it shares block ${shared} with the chain`
}
