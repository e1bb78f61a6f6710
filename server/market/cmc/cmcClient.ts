import { type Address, Failure } from '@chainboard/core'
import { slicePools, sliceSlugs } from './cmcKeys.ts'
import { type CmcStatus, type DexPair, type ListedCoin, parseCoins, parsePairs, parseStatus, toFigure } from './cmcShapes.ts'
import type { CreditAccount } from './creditAccount.ts'
import { judgeReply, slugsRefused } from './judgeReply.ts'
import { readJson } from './readJson.ts'

const defaultTimeoutMs = 10_000
const bodyBytesMax = 8 * 1024 * 1024
/** Calls repeated within one reading because the answer named slugs that it does not know. */
const repeatsMax = 5
/** How long a slug that CoinMarketCap does not know is left out. */
const refusedSlugMs = 86_400_000
const usdConvertId = '2781'
/** Stands for a code that is no number: whatever it means, it is not 0. */
const unreadableCode = 500

export type CmcClientOptions = {
  readonly baseUrl: string
  readonly listedPath: string
  readonly dexPath: string
  /** Secret: goes into a header and nowhere else. */
  readonly apiKey: string
  readonly timeoutMs?: number
}

export type CmcClientDeps = {
  readonly credits: CreditAccount
  /** Awaited before each call: keeps to the calls of a minute. */
  readonly pace: (signal: AbortSignal) => Promise<void>
  readonly nowMs: () => number
}

/** What came, and the status it came with; `status` is undefined where nothing had to be asked, or none was sent. */
export type CmcAnswer<T> = { readonly rows: readonly T[]; readonly status: CmcStatus | undefined }

/**
 * Speaks to CoinMarketCap. Coins and pools that it does not know are missing from the answers. Everything throws a `Failure` of
 * the codes `upstream-…`; `detail.retryAfterMs` says when asking again may help.
 */
export type CmcClient = {
  readListed(slugs: readonly string[], signal: AbortSignal): Promise<CmcAnswer<ListedCoin>>
  readDexPairs(pools: readonly Address[], networkSlug: string, signal: AbortSignal): Promise<CmcAnswer<DexPair>>
}

/** @param deps every call sets its credits aside through them before it is made */
export function createCmcClient(options: CmcClientOptions, deps: CmcClientDeps): CmcClient {
  const unknownUntilMs = new Map<string, number>()
  const ask = (path: string, query: string, credits: number, signal: AbortSignal) =>
    askOnce({ options, deps }, { path, query, credits, signal })

  /** One slice, without the slugs that an answer names as unknown. `repeats` is what the reading has left of them. */
  const askSlice = async (
    slugs: readonly string[],
    repeats: { left: number },
    signal: AbortSignal,
  ): Promise<CmcAnswer<ListedCoin>> => {
    if (slugs.length === 0) return { rows: [], status: undefined }
    try {
      const body = await ask(options.listedPath, `slug=${slugs.join(',')}&convert=USD&skip_invalid=true`, 1, signal)
      return { rows: getRows(parseCoins(body)), status: parseStatus(body) }
    } catch (error) {
      const refused =
        error instanceof Failure && error.code === 'upstream-refused' ? slugsRefused(String(error.detail['said'])) : []
      const rest = slugs.filter((slug) => !refused.includes(slug))
      if (rest.length === slugs.length) throw error
      for (const slug of slugs.filter((each) => refused.includes(each))) unknownUntilMs.set(slug, deps.nowMs() + refusedSlugMs)
      if (repeats.left === 0) throw error
      repeats.left -= 1
      await deps.credits.reserve(1)
      return askSlice(rest, repeats, signal)
    }
  }

  return {
    readListed: async (slugs, signal) => {
      const known = slugs.filter((slug) => (unknownUntilMs.get(slug) ?? 0) <= deps.nowMs())
      const slices = sliceSlugs(known)
      if (slices.length > 0) await deps.credits.reserve(slices.length)
      const repeats = { left: repeatsMax }
      return collect(slices, (slice) => askSlice(slice, repeats, signal))
    },
    readDexPairs: async (pools, networkSlug, signal) => {
      if (pools.length > 0) await deps.credits.reserve(pools.length)
      return collect(slicePools(pools), async (slice) => {
        const query = `contract_address=${slice.join(',')}&network_slug=${networkSlug}&convert_id=${usdConvertId}&skip_invalid=true`
        const body = await ask(options.dexPath, query, slice.length, signal)
        return { rows: getRows(parsePairs(body)), status: parseStatus(body) }
      })
    },
  }
}

async function collect<K, T>(slices: readonly K[], ask: (slice: K) => Promise<CmcAnswer<T>>): Promise<CmcAnswer<T>> {
  const rows: T[] = []
  let status: CmcStatus | undefined
  for (const slice of slices) {
    const answer = await ask(slice)
    rows.push(...answer.rows)
    status = answer.status ?? status
  }
  return { rows, status }
}

type Client = { readonly options: CmcClientOptions; readonly deps: CmcClientDeps }
type Call = { readonly path: string; readonly query: string; readonly credits: number; readonly signal: AbortSignal }

/** @param call.credits what was set aside for it */
async function askOnce({ options, deps }: Client, { path, query, credits, signal }: Call): Promise<unknown> {
  await deps.pace(signal)
  const reply = await readJson(`${options.baseUrl}${path}?${query}`, {
    headers: { Accept: 'application/json', 'X-CMC_PRO_API_KEY': options.apiKey },
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    bodyBytesMax,
    signal,
  })
  const status = parseStatus(reply.body)
  const extra = (toFigure(status?.credit_count) ?? 0) - credits
  if (extra > 0) await deps.credits.addExtra(extra)
  const failure = judgeReply(
    {
      ...reply,
      errorCode: status && (toFigure(status.error_code) ?? unreadableCode),
      errorMessage: status?.error_message?.replaceAll(options.apiKey, '…'),
    },
    deps.nowMs(),
  )
  if (failure) throw failure
  return reply.body
}

function getRows<T>(rows: T[] | undefined): T[] {
  if (!rows) throw new Failure('upstream-invalid', 'CoinMarketCap returned JSON in an unknown format', { retryable: true })
  return rows
}
