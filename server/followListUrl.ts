import { Failure, supervise } from '@chainboard/core'
import type { Chain } from './chain/chain.ts'
import { formatProblem, type Problem } from './findProblems.ts'
import { isSystemError } from './keeping/systemError.ts'
import { type KeptUrlList, writeKeptList } from './keptUrlList.ts'
import { findLoss } from './market/findLoss.ts'
import type { LiveListHolder, RemoteStatus } from './market/liveList.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toTokenList } from './market/tokenList.ts'
import { checkOnChain } from './market/urlList/checkOnChain.ts'
import { type FetchLimits, fetchUrlList } from './market/urlList/fetchUrlList.ts'
import { parseUrlList } from './market/urlList/parseUrlList.ts'

/** Between two questions to the server of a list. */
const askEveryMs = 300_000
const lossWords = {
  field: 'tokenList.tokens',
  way: 'to accept the list as it is, delete token-list.json in the data folder and restart',
}
const problemsLoggedMax = 10

export type UrlFollowerDeps = {
  readonly url: string
  readonly chainId: number
  readonly chain: Pick<Chain, 'readTokens'>
  /** Where the list is kept, and what was there at the start. */
  readonly keptPath: string
  readonly kept: KeptUrlList | undefined
  readonly list: Pick<LiveListHolder, 'putRemote' | 'noteRemote'>
  readonly log: SourceLog
  readonly nowMs: () => number
  readonly limits?: FetchLimits
}

type FollowDeps = UrlFollowerDeps & { readonly pause: (ms: number, signal: AbortSignal) => Promise<void> }

/** Takes in a list of the web whenever it changes, until stopped. `askNow` ends the wait for the next question. */
export function followListUrl({ pause, ...deps }: FollowDeps): { stop(): Promise<void>; askNow(): void } {
  const ending = new AbortController()
  const { signal } = ending
  const ask = createListQuestion(deps, signal)
  let waking = new AbortController()
  const run = async () => {
    while (!signal.aborted) {
      waking = new AbortController()
      await ask()
      // A caller that asks while a request is in flight gets another one after it.
      await pause(askEveryMs, AbortSignal.any([signal, waking.signal]))
    }
  }
  const onFault = (err: unknown, retryInMs: number) =>
    deps.log.error({ err, retryInMs }, 'Following the token list from the URL failed because of a bug and restarts')
  const done = supervise(run, { signal, nowMs: deps.nowMs, pause, onFault })
  return {
    stop: () => {
      ending.abort()
      return done
    },
    askNow: () => waking.abort(),
  }
}

/** One question to the server of a list. What is no right list leaves the one before in place; the log tells it once. */
export function createListQuestion(deps: UrlFollowerDeps, signal: AbortSignal): () => Promise<void> {
  const { url, chainId, chain, keptPath, list, log, nowMs, limits } = deps
  let kept: KeptUrlList = deps.kept ?? { url, tokens: [] }
  let status: RemoteStatus = { tokens: kept.tokens.length, answeredAtMs: undefined, refused: undefined, leftOut: [] }
  let logged = ''
  const note = (next: Partial<RemoteStatus>) => {
    status = { ...status, ...next }
    list.noteRemote(status)
  }
  const logOnce = (problems: readonly Problem[], text: string) => {
    const of = [text, ...problems.map(formatProblem)].join('\n')
    if (problems.length > 0 && of !== logged)
      log.warn({ problems: problems.slice(0, problemsLoggedMax).map(formatProblem), count: problems.length }, text)
    logged = of
  }
  const refuse = (problems: readonly Problem[]) => {
    note({ refused: { sinceMs: status.refused?.sinceMs ?? nowMs(), problems } })
    logOnce(problems, 'The token list from the URL was refused: the server keeps the previous one')
  }
  /** A full disk keeps no list: a restart lacks it then, and nothing else does. */
  const keep = (next: KeptUrlList) => {
    try {
      writeKeptList(keptPath, next)
    } catch (error) {
      const code = isSystemError(error) ? error.code : undefined
      log.warn(
        { code },
        'The token list from the URL cannot be written to the data folder: after a restart while its server is down, it is missing',
      )
    }
  }
  const take = async () => {
    const { body, etag } = await fetchUrlList(url, { etag: kept.etag, signal }, limits)
    if (body === undefined) return note({ answeredAtMs: nowMs(), refused: undefined })
    const parsed = parseUrlList(body, chainId)
    if (parsed.problems.length > 0) return refuse(parsed.problems)
    const checked = await checkOnChain(parsed.entries, { chain, known: kept.tokens, signal })
    // Not all of them were asked about.
    if (signal.aborted) return
    const losses = findLoss(toTokenList(kept.tokens, []), toTokenList(checked.entries, []), lossWords)
    if (losses.length > 0) return refuse(losses)
    const isSame = JSON.stringify(checked.entries) === JSON.stringify(kept.tokens)
    // What was left out is asked about again the next time: a node may have been behind.
    kept = { url, tokens: checked.entries, ...(etag !== undefined && checked.leftOut.length === 0 ? { etag } : {}) }
    keep(kept)
    if (!isSame) {
      list.putRemote(toTokenList(kept.tokens, []).tokens)
      log.info({ tokens: kept.tokens.length }, 'The token list from the URL is in use')
    }
    const leftOut = [...parsed.leftOut, ...checked.leftOut]
    note({ tokens: kept.tokens.length, answeredAtMs: nowMs(), refused: undefined, leftOut })
    logOnce(leftOut, 'Tokens of the list from the URL are left out')
  }
  return async () => {
    try {
      await take()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (!signal.aborted) refuse([{ field: 'tokenList.url', found: error.message, wanted: 'a token list that can be checked' }])
    }
  }
}
