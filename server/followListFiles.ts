import type { BigIntStats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { supervise } from '@chainboard/core'
import { formatProblem, type Problem } from './findProblems.ts'
import { findLoss } from './market/findLoss.ts'
import type { LiveListHolder } from './market/liveList.ts'
import type { SourceLog } from './market/pollSource.ts'
import type { TokenList } from './market/tokenList.ts'
import { digestOf, fileBytesMax, type ListFiles, type ListTexts, listFileNames, parseTokenList } from './parseTokenList.ts'

/**
 * Between two looks at the files. A file is read when it was the same in two looks, so that an editor has this long between two writes.
 * Watching would be quicker, but tells nothing of many mounted folders.
 */
const lookEveryMs = 2_000
const lossWords = { field: listFileNames.assets, way: 'a restart takes the list as it is' }
const problemsLoggedMax = 10
const tokensLoggedMax = 10

export type ListFollowerDeps = {
  readonly files: ListFiles
  /** How problems name the folder. */
  readonly shownDir: string
  readonly list: LiveListHolder
  readonly log: SourceLog
}

type FollowDeps = ListFollowerDeps & {
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly nowMs: () => number
}

/** Takes in the files of a token list whenever they change, until stopped. */
export function followListFiles({ pause, nowMs, ...deps }: FollowDeps): { stop(): Promise<void> } {
  const ending = new AbortController()
  const { signal } = ending
  const look = createListLook(deps)
  const run = async () => {
    while (!signal.aborted) {
      await pause(lookEveryMs, signal)
      if (!signal.aborted) await look()
    }
  }
  const done = supervise(run, {
    signal,
    nowMs,
    pause,
    onFault: (err, retryInMs) =>
      deps.log.error({ err, retryInMs }, 'Following the token list failed because of a bug and restarts'),
  })
  return {
    stop: () => {
      ending.abort()
      return done
    },
  }
}

/**
 * One look at the files of a list. What is not a right list, by the checks of a start, or lacks too many tokens, leaves the current one
 * in place; the log tells it once.
 */
export function createListLook({ files: { dir, digest }, shownDir, list, log }: ListFollowerDeps): () => Promise<void> {
  const paths = [join(dir, listFileNames.assets), join(dir, listFileNames.highlighted)] as const
  let current = digest
  let seen: string | undefined
  let done: string | undefined
  let logged: string | undefined

  const refuse = (problems: readonly Problem[]) => {
    const of = problems.map(formatProblem).join('\n')
    list.refuse(problems)
    if (of === logged) return
    logged = of
    const facts = { problems: problems.slice(0, problemsLoggedMax).map(formatProblem), count: problems.length }
    log.warn(facts, 'The changed token list was refused: the server keeps the previous one')
  }
  const consider = (texts: ListTexts) => {
    const next = digestOf(texts)
    if (next === current) {
      if (logged !== undefined) log.info({}, 'The token list is back to what it was')
      logged = undefined
      return list.keep()
    }
    const before = list.newest()
    const parsed = parseTokenList(texts, shownDir)
    if (!parsed.list) return refuse(parsed.problems)
    const losses = findLoss(before, parsed.list, lossWords)
    if (losses.length > 0) return refuse(losses)
    current = next
    logged = undefined
    list.put(parsed.list)
    tellChange(log, before, list)
  }
  return async () => {
    const [assets, highlighted] = await Promise.all(paths.map(readStats))
    const stamp = `${toStamp(assets)} ${toStamp(highlighted)}`
    if (stamp === done) return
    if (stamp !== seen) {
      seen = stamp
      return
    }
    const tooLong = [...findTooLong(listFileNames.assets, assets), ...findTooLong(listFileNames.highlighted, highlighted)]
    if (tooLong.length > 0) {
      done = stamp
      return refuse(tooLong)
    }
    const texts = { assets: await readFileText(paths[0], assets), highlighted: await readFileText(paths[1], highlighted) }
    const [assetsAfter, highlightedAfter] = await Promise.all(paths.map(readStats))
    // Changed while it was read: the next look sees.
    if (`${toStamp(assetsAfter)} ${toStamp(highlightedAfter)}` !== stamp) return
    // A file that is there and cannot be read is tried again.
    const isRead = (text: string | undefined, stats: BigIntStats | undefined) => text !== undefined || stats === undefined
    if (isRead(texts.assets, assets) && isRead(texts.highlighted, highlighted)) done = stamp
    consider(texts)
  }
}

/** Undefined: there is no such file. */
async function readStats(path: string): Promise<BigIntStats | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats?.isFile() ? stats : undefined
}

/** A copy may keep the time of a file, and its length: `ctime` and the inode are the disk's own. */
function toStamp(stats: BigIntStats | undefined): string {
  return stats ? [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join(',') : 'none'
}

async function readFileText(path: string, stats: BigIntStats | undefined): Promise<string | undefined> {
  return stats && readFile(path, 'utf8').catch(() => undefined)
}

function findTooLong(field: string, stats: BigIntStats | undefined): Problem[] {
  if (!stats || stats.size <= fileBytesMax) return []
  return [{ field, found: `${stats.size} bytes`, wanted: `at most ${fileBytesMax}` }]
}

function tellChange(log: SourceLog, before: TokenList, list: LiveListHolder): void {
  const after = list.newest()
  const idsOf = ({ tokens }: TokenList) => new Set(tokens.map(({ id }) => id))
  const [idsBefore, idsAfter] = [idsOf(before), idsOf(after)]
  const added = after.tokens.filter(({ id }) => !idsBefore.has(id)).map(({ address }) => address)
  const removed = before.tokens.filter(({ id }) => !idsAfter.has(id)).map(({ address }) => address)
  const { beingRead, tokens } = list.status()
  const facts = { tokens, added: added.length, removed: removed.length }
  log.info({ ...facts, addresses: [...added, ...removed].slice(0, tokensLoggedMax) }, 'The changed token list is in use')
  if (beingRead.length === 0) return
  log.info(
    {
      count: beingRead.length,
      addresses: beingRead.slice(0, tokensLoggedMax).map(({ address }) => address),
    },
    'The index lacks pools of these tokens: the server reads them now and then shows the figures that need them',
  )
}
