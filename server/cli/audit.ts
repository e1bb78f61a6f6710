// `npm run audit`: compares all of the index with the chain, and prints a checksum of each UTC day.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from '@chainboard/core'
import { createViemChain } from '../chain/viemChain.ts'
import { decodeLog, indexedTopics } from '../indexer/decodeLog.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { wantsPool } from '../indexer/settleScope.ts'
import { toWantedContracts } from '../indexer/wantedContracts.ts'
import { toFollowing } from '../networkFile.ts'
import { pause } from '../pause.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { findScope } from '../store/indexScope.ts'
import { findFirstKept } from '../store/keptSince.ts'
import { openReader } from '../store/openReader.ts'
import { checkFile } from '../store/openStore.ts'
import { listPoolAddresses } from '../store/pools.ts'
import { findCursor } from '../store/syncCursor.ts'
import { toScope } from '../toScope.ts'
import {
  type AuditDeps,
  type AuditProgress,
  auditIndex,
  confirmDifferences,
  isAuditProgress,
  startAudit,
  toSpans,
} from '../witness/auditIndex.ts'

const usage = `Usage: npm run audit -- [--from <block>] [--to <block>] [--fresh]
  --from   the first block. Default: the network's first
  --to     the last block. Default: the newest settled block of the index
  --fresh  starts over instead of resuming an interrupted audit
Exit code 0: equal. 1: different. 2: could not run.`
const whyFirst = 'older swaps are no longer kept ("retention" of the network file)'
const statementTimeoutMs = 60_000
const progressEveryMs = 2_000

const options = readArguments()
const config = readConfigOrExit()
const { network, store: location } = config
const progressFile = join(dirname(config.pepper.file), 'audit.json')

try {
  if ('file' in location) checkFile(location.file)
} catch (error) {
  exitWith(messageOf(error))
}
try {
  process.exit(await audit())
} catch (error) {
  const why = error instanceof Failure ? error.message : String(error)
  exitWith(`The audit stopped early: ${why}. Run it again: it resumes where it stopped.`)
}

async function audit(): Promise<0 | 1> {
  const store = await openReader(location, statementTimeoutMs)
  try {
    const cursor = await findCursor(store.read)
    if (!cursor?.block) return exitWith('The index is empty: nothing to compare')
    const scope = { ...toScope(config), onlyTokens: (await findScope(store.read))?.tokens }
    const { confirmations, spanMax } = toFollowing(network)
    const to = options.to ?? cursor.block.number - confirmations
    const first = await findFirstKept(store.read)
    if (options.from !== undefined && options.from < first)
      return exitWith(`--from: found ${options.from}, expected a block from ${first} on: ${whyFirst}`)
    if (first > 0) console.error(`Comparing from block ${first} on: ${whyFirst}`)
    const wanted = startAudit(cursor.identity, { from: options.from ?? Math.max(first, network.dex.startBlock), to })
    if (wanted.from > to) return exitWith(`Blocks ${wanted.from} to ${to}: the index has no settled block to compare yet`)
    const deps: AuditDeps = {
      chain: createViemChain(config.rpcUrls, { paced: true }),
      read: store.read,
      topics: indexedTopics,
      decode: createDecoder(scope),
      contracts: toWantedContracts(scope, () => listPoolAddresses(store.read)),
      spanMax,
      pause: (ms) => pause(ms, new AbortController().signal),
    }
    return await report(deps, await runThrough(deps, resume(wanted)))
  } finally {
    await store.close()
  }
}

async function runThrough(deps: AuditDeps, start: AuditProgress): Promise<AuditProgress> {
  const startedMs = Date.now()
  let shownMs = 0
  let progress = start
  for await (progress of auditIndex(deps, start)) {
    if (Date.now() - shownMs < progressEveryMs) continue
    shownMs = Date.now()
    keep(progress)
    console.error(describe(start, progress, (shownMs - startedMs) / 1_000))
  }
  keep(progress)
  return progress
}

async function report(deps: AuditDeps, { days, differences, events, from, to }: AuditProgress): Promise<0 | 1> {
  // Older rows may have been deleted meanwhile.
  const first = await findFirstKept(deps.read)
  const still = await confirmDifferences(
    deps,
    differences.filter((block) => block >= first),
  )
  for (const [day, checksum] of Object.entries(days).sort()) console.log(`${day} ${checksum}`)
  rmSync(progressFile, { force: true })
  if (still.length === 0) {
    console.log(`Equal: blocks ${from} to ${to}, ${events} events`)
    return 0
  }
  console.log(`Different in ${still.length} of blocks ${from} to ${to}: ${toSpans(still).join(', ')}`)
  return 1
}

/** What the index keeps. */
function createDecoder(scope: IndexScope): AuditDeps['decode'] {
  return (log) => {
    const event = decodeLog(log)
    if (event?.kind !== 'poolCreated') return event && { kind: 'event', event }
    const isOurs = event.factory === scope.factory && wantsPool(scope, event.token0, event.token1)
    return isOurs ? { ...event, kind: 'pool' } : undefined
  }
}

function describe(start: AuditProgress, { from, to, next, differences }: AuditProgress, seconds: number): string {
  const rate = seconds > 0 ? (next - start.next) / seconds : 0
  const left = rate > 0 ? `${Math.ceil((to + 1 - next) / rate)} s left` : 'time left unknown'
  const part = Math.floor((100 * (next - from)) / (to + 1 - from))
  return `Block ${next - 1} of ${to} (${part} %), ${Math.round(rate)} blocks/s, ${left}, ${differences.length} different`
}

function resume(wanted: AuditProgress): AuditProgress {
  if (options.fresh || !existsSync(progressFile)) return wanted
  try {
    const kept: unknown = JSON.parse(readFileSync(progressFile, 'utf8'))
    if (
      !isAuditProgress(kept) ||
      kept.identity !== wanted.identity ||
      kept.from !== wanted.from ||
      (options.to ?? kept.to) !== kept.to
    )
      return wanted
    console.error(`Resuming at block ${kept.next}; --fresh starts over`)
    return kept
  } catch {
    return wanted
  }
}

function keep(progress: AuditProgress): void {
  writeFileSync(`${progressFile}.new`, JSON.stringify(progress))
  renameSync(`${progressFile}.new`, progressFile)
}

function readArguments(): { from?: number; to?: number; fresh: boolean } {
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' }, fresh: { type: 'boolean' } } })
    const wrong = [values.from, values.to].find((text) => text !== undefined && !/^\d{1,15}$/.test(text))
    if (wrong !== undefined) return exitWith(`Found ${wrong}, expected a block number. ${usage}`)
    const { from, to, fresh = false } = values
    return { fresh, ...(from === undefined ? {} : { from: Number(from) }), ...(to === undefined ? {} : { to: Number(to) }) }
  } catch (error) {
    return exitWith(`${messageOf(error)}\n${usage}`)
  }
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
