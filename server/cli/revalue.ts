// `npm run revalue`: values stored blocks again, out of the index alone. A server that runs does the work; without one, this does.
import { parseArgs } from 'node:util'
import { Failure, messageOf } from '@chainboard/core'
import { revalueHour } from '../indexer/revalue.ts'
import { describeDollars } from '../indexer/settleScope.ts'
import { pause } from '../pause.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { findScope } from '../store/indexScope.ts'
import { findFirstRevaluable } from '../store/keptSince.ts'
import { askAgain, findAsked, listOldDollars } from '../store/oldDollars.ts'
import { checkFile, openServerStore, openVisitorStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import { findCursor, lockCursor } from '../store/syncCursor.ts'
import { toRevaluing } from '../toScope.ts'

const usage = `Usage: npm run revalue -- [--from <block>] [--to <block>]
  --from  the first block. Default without --to: the first one with dollars of an older method
  --to    the last block. Default: the newest. Later blocks are revalued, too, because their totals build on it
Exit code 0: done. 1: failed; the next run resumes. 2: wrong usage.`
const [failed, wrongUse, interrupted] = [1, 2, 130] as const
const lookEveryMs = 500
const progressEveryMs = 2_000
/** A server that gets nowhere for so long may have ended. */
const stillMsMax = 15_000

type Wanted = { readonly from: number | undefined; readonly to: number | undefined }
/** What is left: the blocks from `next` to `last`. */
type Left = { readonly next: number; readonly last: number }

const wanted = readArguments()
const config = readConfigOrExit()
const revaluing = toRevaluing(config)
const stopping = new AbortController()
const { signal } = stopping
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())

try {
  await revalue()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = error.code === 'request-invalid' ? wrongUse : failed
}

async function revalue(): Promise<void> {
  const { store: location } = config
  if ('file' in location) checkFile(location.file)
  let isAsked = false
  for (;;) {
    const own = await openOwnStore()
    const store = own ?? (await openVisitorStore(location))
    try {
      if (!isAsked && !(await ask(store)))
        return console.log("All stored dollars already use this version's method: nothing to do.")
      isAsked = true
      if (own ? await work(own) : await watch(store)) return
    } finally {
      await store.close()
    }
  }
}

/** @returns undefined when a server has the data */
async function openOwnStore(): Promise<Store | undefined> {
  try {
    return await openServerStore(config.store, () => stopping.abort())
  } catch (error) {
    if (error instanceof Failure && error.code === 'store-in-use') return undefined
    throw error
  }
}

/** Marks the blocks. @returns false when none are wanted and none are old */
async function ask(store: Store): Promise<boolean> {
  return store.write(async (tx) => {
    await lockCursor(tx)
    const cursor = await findCursor(tx)
    if (!cursor?.block) throw new Failure('conflict', 'The index is empty: there is nothing to revalue.')
    const hasSettings = (await findScope(tx))?.dollars === describeDollars(revaluing.valuation)
    if (!hasSettings || !revaluing.isOurs(cursor.identity))
      throw new Failure('conflict', 'The index was made with other settings (exchange or prices): start the server once.')
    const newest = cursor.block.number
    const old = await listOldDollars(tx)
    const oldest = await findFirstRevaluable(tx)
    checkBlocks(oldest, newest)
    const isNamed = wanted.from !== undefined || wanted.to !== undefined
    const from = isNamed ? (wanted.from ?? oldest) : old.find(({ toBlock }) => toBlock >= oldest)?.fromBlock
    if (from === undefined) return false
    const first = await askAgain(tx, from, newest)
    console.error(`Revaluing blocks ${first} to ${newest}.`)
    if (wanted.to !== undefined && wanted.to < newest)
      console.error(`This includes blocks after ${wanted.to}, because their totals build on the earlier blocks.`)
    return true
  })
}

function checkBlocks(oldest: number, newest: number): void {
  const { from = oldest, to = newest } = wanted
  if (from < oldest)
    throw wrong(
      `--from: found ${from}, expected a block from ${oldest} on: the events of blocks before it are no longer kept ("retention" of the network file)`,
    )
  if (from > newest) throw wrong(`--from: found ${from}, expected a block from 0 to ${newest}, the newest one in the index`)
  if (to < from || to > newest)
    throw wrong(`--to: found ${to}, expected a block from ${from} to ${newest}, the newest one in the index`)
}

/** Does the work itself. */
async function work(store: Store): Promise<true> {
  const show = createProgress()
  const deps = { ...revaluing, store, holder: { world: undefined } }
  for (let left = await revalueHour(deps); left; left = await revalueHour(deps)) {
    show(left)
    if (signal.aborted) return exitInterrupted(`Interrupted at block ${left.next}. Run it again: it resumes there.`)
  }
  console.log('Done: all blocks are revalued.')
  return true
}

/** Looks on while the server does it. @returns false when the server may have ended */
async function watch(store: Store): Promise<boolean> {
  console.error('A server is running on this data: it does the work.')
  const show = createProgress()
  let next: number | undefined
  let movedAtMs = Date.now()
  for (;;) {
    const span = await findAsked(store.read)
    if (!span) break
    if (span.fromBlock !== next) [next, movedAtMs] = [span.fromBlock, Date.now()]
    show({ next: span.fromBlock, last: span.toBlock })
    if (Date.now() - movedAtMs > stillMsMax) return false
    await pause(lookEveryMs, signal)
    if (signal.aborted) exitInterrupted('Interrupted: the server continues.')
  }
  console.log('Done: all blocks are revalued.')
  return true
}

function createProgress(): (left: Left) => void {
  let begun: { readonly next: number; readonly atMs: number } | undefined
  let shownMs = 0
  return ({ next, last }) => {
    const now = Date.now()
    begun ??= { next, atMs: now }
    if (now - shownMs < progressEveryMs) return
    shownMs = now
    const rate = (next - begun.next) / Math.max(0.001, (now - begun.atMs) / 1_000)
    const time = rate > 0 ? `${Math.ceil((last + 1 - next) / rate)} s left` : 'time left unknown'
    console.error(
      `Block ${next} of ${last} (${Math.floor((100 * next) / Math.max(1, last + 1))} %), ${Math.round(rate)} blocks/s, ${time}`,
    )
  }
}

function readArguments(): Wanted {
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
    return { from: readBlock('--from', values.from), to: readBlock('--to', values.to) }
  } catch (error) {
    console.error(error instanceof Failure ? error.message : `${messageOf(error)}\n${usage}`)
    process.exit(wrongUse)
  }
}

function readBlock(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw wrong(`${field}: found ${JSON.stringify(text)}, expected a block number`)
  return Number(text)
}

function wrong(text: string): Failure {
  return new Failure('request-invalid', `${text}\n${usage}`)
}

function exitInterrupted(text: string): never {
  console.error(text)
  process.exit(interrupted)
}
