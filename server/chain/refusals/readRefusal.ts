import { fieldsOf } from '@chainboard/core'

/**
 * What a node means when it says no. Providers agree neither on codes nor on words, and one code has many meanings, so the words count first.
 * `too-many-results`, `answer-too-large`, `timeout`: this range holds too much, another one of its width may not.
 * `range-too-wide`: no range of this width is read. `quota-exhausted`: for the day or the month.
 */
export type RefusalKind =
  | 'range-too-wide'
  | 'too-many-results'
  | 'answer-too-large'
  | 'timeout'
  | 'rate-limit'
  | 'quota-exhausted'
  | 'archive-missing'
  | 'block-not-found-yet'
  | 'method-not-available'
  | 'address-required'
  | 'batch-too-large'
  | 'auth'
  | 'internal'

export type Refusal = {
  readonly kind: RefusalKind
  /** Width of a range that will do, in blocks, by what the node said; absent: it said none. */
  readonly blocks?: number
  /** How long the node wants to be left alone; absent: it did not say. */
  readonly retryAfterMs?: number
}

export type Said = {
  /** Absent: not known, or 200. */
  readonly httpStatus?: number | undefined
  /** Of the JSON-RPC error; absent: there was none. */
  readonly code?: number | undefined
  readonly message: string
  /** The error's `data`, where some nodes have the only hint. */
  readonly data?: unknown
}

/** A node's words may be of any length; what they mean is in the first of them. */
const lettersMax = 2_000

/** The first that fits counts: words of one kind appear in texts of another, such as "block range" where a day's requests are used up. */
const kinds: readonly (readonly [RefusalKind, RegExp])[] = [
  ['address-required', /specify an address|address(es)? (is|are) required/],
  [
    'batch-too-large',
    /\bbatch\b.*(too|size|more than|exceed|limit|not allowed)|(too many|max|exceeds).*\bbatch\b|request (body |is )*too large/,
  ],
  [
    'method-not-available',
    /^limit exceeded$|\bmethod\b.*(not available|does not exist|not found|not enabled|not whitelisted|not supported)/,
  ],
  ['method-not-available', /not available on (free|your)|(finalized|safe) block not found/],
  [
    'archive-missing',
    /archive|prun(ed|ing)|histor(y|ical).*available|historical state|missing trie node|no state available|height.* is not available/,
  ],
  ['archive-missing', /data before .* is not available|receipt not available|can't route your request/],
  [
    'block-not-found-yet',
    /cannot be found|unknown block|header not found|block not found|beyond (current|latest)|out ?of ?range|after last accepted/,
  ],
  ['block-not-found-yet', /unfinalized|invalid block (tag|range)/],
  ['quota-exhausted', /monthly|daily|\bquota\b|usage limit for|payment required|maximum allowed number of requests/],
  [
    'rate-limit',
    /rate.?(limit|exceed)|too many requests|(per|\/) ?sec|requests per|compute units|request limit reached|over capacity|throttl|\brps\b/,
  ],
  ['rate-limit', /\bcups\b|api usage limit|error code: 1015|calls per|\b429 /],
  ['range-too-wide', /number of requested blocks/],
  [
    'too-many-results',
    /more than \S+ (results|logs)|max results|too many (logs|results)|log response size|\blogs\b.*(exceed|limit of)|number of logs/,
  ],
  ['answer-too-large', /response (size |is )*(too|larger|exceed|should not)/],
  ['timeout', /time(d)?.?out|deadline exceeded|took too long|status code 408/],
  ['range-too-wide', /block(s)? (range|span|distance)|too many blocks|range.*(exceed|limit|too|large|wide|bigger|greater)/],
  ['range-too-wide', /(exceed|limit|too).*\brange|ranges over|at most \S+ blocks|distance must be|query must be smaller|range$/],
  ['auth', /authenticat|unauthori[sz]ed|forbidden|whitelist|api.?key|not enabled for this app|token is invalid|project id/],
]

const kindsByCode: Readonly<Record<number, RefusalKind>> = {
  [-32_601]: 'method-not-available',
  [-32_005]: 'rate-limit',
  429: 'rate-limit',
}

const kindsByStatus: Readonly<Record<number, RefusalKind>> = {
  401: 'auth',
  402: 'quota-exhausted',
  403: 'auth',
  408: 'timeout',
  413: 'answer-too-large',
  429: 'rate-limit',
  504: 'timeout',
}

/** Reads a refusal: its kind, and the width or the wait that it names. Words without a known meaning are `internal`. */
export function readRefusal({ httpStatus, code, message, data }: Said): Refusal {
  const hint = typeof data === 'string' ? data : data === undefined || data === null ? '' : JSON.stringify(data)
  const words = [hint, message].map((each) => each.slice(0, lettersMax).trim().toLowerCase())
  const kind = readKind(words) ?? kindsByStatus[httpStatus ?? 0] ?? kindsByCode[code ?? 0] ?? 'internal'
  const text = words.join(' ')
  const blocks = readBlocks(kind, text)
  const retryAfterMs = isOfPace(kind) ? readWait(text, data) : undefined
  return { kind, ...(blocks ? { blocks } : {}), ...(retryAfterMs ? { retryAfterMs } : {}) }
}

/** Whether a narrower range may be answered. */
export function isOfRange(kind: RefusalKind): boolean {
  return kind === 'range-too-wide' || kind === 'too-many-results' || kind === 'answer-too-large' || kind === 'timeout'
}

/** Whether the same call may be answered later. */
export function isOfPace(kind: RefusalKind): boolean {
  return kind === 'rate-limit' || kind === 'quota-exhausted'
}

function readKind(words: readonly string[]): RefusalKind | undefined {
  return kinds.find(([, pattern]) => words.some((each) => pattern.test(each)))?.[0]
}

/** Two ends of a range that the node offers. Brackets without such words repeat the request. */
const offers = [
  /(?:should work|try with this block range):? \[(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]/,
  /retry with (?:the range )?(\d+)-(\d+)/,
  /"from":"(0x[0-9a-f]+)".*"to":"(0x[0-9a-f]+)"/,
]

/** A number behind words of a limit. What was asked for is behind others. */
const cap =
  /(?:limit(?:ed)?(?: is| of| to(?: a)?(?: 0 -)?)?|max(?:imum)?(?: allowed| block| range| is| set| to| of)*|up to a|distance|over|at most|(?:greater|smaller|less) than(?: size)?|exceeds?|blocks is|>|narrow your filter)\s*[:=]?\s*([\d,]+)(k?)\b/
/** The same where logs are counted: other numbers there are of logs. */
const capBesideLogs = /up to a ([\d,]+)(k?) block range/

/** Only the width of an offer counts: its ends may lie elsewhere. */
function readBlocks(kind: RefusalKind, text: string): number | undefined {
  if (kind !== 'range-too-wide' && kind !== 'too-many-results') return undefined
  for (const offer of offers) {
    const [, from, to] = offer.exec(text) ?? []
    if (from !== undefined && to !== undefined) return toWidth(Number(to) - Number(from) + 1)
  }
  const [, digits, thousands] = (kind === 'range-too-wide' ? cap : capBesideLogs).exec(text) ?? []
  return digits === undefined ? undefined : toWidth(Number(digits.replaceAll(',', '')) * (thousands ? 1_000 : 1))
}

function toWidth(blocks: number): number | undefined {
  return Number.isSafeInteger(blocks) && blocks > 0 ? blocks : undefined
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }
const wait = /(?:(?:retry|again) in|"try_again_in":") ?([\d.]+)(ms|s|m)/

function readWait(text: string, data: unknown): number | undefined {
  const [, amount, unit] = wait.exec(text) ?? []
  if (amount !== undefined) return Math.ceil(Number(amount) * (unitMs[unit ?? ''] ?? 0)) || undefined
  const seconds = fieldsOf(fieldsOf(data)['rate'])['backoff_seconds']
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined
}
