import { errorPercent, intervalContains, isMarked, type Sample, type TokenSample } from './sample.ts'

/** A figure of the index, and what it would be at honest prices. US dollars. */
export type StoredDollars = { readonly what: string; readonly storedUsd: number; readonly honestUsd: number }

export type Evidence = {
  /** Symbols of the tokens the attack is about. */
  readonly targets: readonly string[]
  /** Before the attack, and from its first block on. */
  readonly before: readonly Sample[]
  readonly during: readonly Sample[]
  readonly stored: readonly StoredDollars[]
  /** Whether the targets' organic volume must not fall: it is what the attack wants. */
  readonly lowersOrganic?: boolean
  /** Whether nobody but the attacker trades the targets: nothing of it may count as organic. */
  readonly countsNothing?: boolean
  /** US dollars that the attack cost; absent: not known. */
  readonly costUsd?: number
  /** The same blocks as `during` without the attack; absent: not played. */
  readonly control?: readonly Sample[] | undefined
}

export type Judgement = {
  /** The token that was furthest off, and by how many percent; 0 when all were right. */
  readonly worst: { readonly symbol: string; readonly percent: number }
  /** Seconds of chain time in which some price was off by more than is allowed. */
  readonly wrongSeconds: number
  /** Seconds of chain time after which the last unmarked price of something that cannot be sold was served; 0: none was. */
  readonly unmarkedSeconds: number
  /** Of the first target: highest confidence before and during. */
  readonly confidence: { readonly before: number; readonly during: number }
  /**
   * Of the first target: best place in trending before and during; undefined: none. `saidUsd`: what a place was said to cost before
   * the target had one, or before the attack; 0: a place was free.
   */
  readonly place: { readonly before: number | undefined; readonly during: number | undefined; readonly saidUsd: number }
  /** Of the first target: US dollars by which its volume of 24 hours rose. `organicUsd` is undefined where it is not served. */
  readonly added: { readonly volumeUsd: number; readonly organicUsd: number | undefined }
  /** Of the first target, before: US dollars that were said to move its price by 10 %, where that is served. */
  readonly costToMoveUsd: number | undefined
  /** Reasons served with the targets that were not there before. */
  readonly marks: readonly string[]
  /** Whether the interval held the honest price whenever the price was off; undefined: no interval was served, or no price was off. */
  readonly interval: boolean | undefined
  readonly dollars: { readonly what: string; readonly percent: number }
  /** What the rule says against it; empty: it holds. */
  readonly failures: readonly string[]
}

/** By how much a served price may differ from the honest one without a warning. */
export const errorPercentMax = 2
/** A token's rules change without a trace, and are found by simulated sales: they have so long. */
const unmarkedSecondsMax = 180
/** Of a target's organic volume: honest traders take some of their own back. */
const organicFallMax = 0.1
/** US dollars of organic volume that are as good as nothing. */
const organicFloor = 1
const namesShown = 3
/** Under this a percentage of dollars says nothing. */
const dollarsFloor = 1_000
/** Confidence is served to two decimals. */
const confidenceStep = 0.005

/**
 * The rule: a served price is within 2 % of the honest one, or the token is marked and its range contains the honest price; what
 * cannot be sold is unpriced or marked; no target's confidence rises because of the attack; none enters the trending tokens for less
 * than a place was said to cost; what nobody but the attacker trades has no organic volume; stored dollars are within 2 %, or are the TVL of a pool of whose token is said that it is not there.
 */
export function judge(evidence: Evidence): Judgement {
  const { targets, before, during, stored } = evidence
  const off = during.flatMap(({ tokens }) => tokens.filter((token) => errorPercent(token) > errorPercentMax))
  const worst = findWorst(during)
  const [first = ''] = targets
  const unproven = listUnproven(during)
  const dollars = findWorstDollars(stored.filter(({ what }) => !unproven.some((symbol) => what.startsWith(`TVL ${symbol}/`))))
  const risen = listRisen(evidence)
  const cheap = listCheapEntries(evidence)
  const lowered = evidence.lowersOrganic ? listLowered(evidence) : []
  const counted = evidence.countsNothing ? listCounted(evidence) : []
  const known = new Set(ofTargets(before, targets).flatMap(({ reasons }) => reasons.map(withoutNumbers)))
  const isNew = (reason: string) => !known.has(withoutNumbers(reason))
  const marks = ofTargets(during, targets).flatMap(({ reasons }) => reasons.filter(isNew))
  const unmarkedSeconds = countUnmarked(during, isNew)
  const unexcused = off.filter((token) => !isExcused(token, { isNew, unmarkedSeconds }))
  return {
    worst,
    wrongSeconds: countWrongSeconds(during),
    unmarkedSeconds,
    confidence: { before: confidenceOf(before, first), during: confidenceOf(during, first) },
    place: { before: bestPlace(before, first), during: bestPlace(during, first), saidUsd: findSaidUsd(evidence, first) },
    added: findAdded(ofTargets(before, [first]), ofTargets(during, [first])),
    costToMoveUsd: ofTargets(before, [first]).at(-1)?.costToMoveUsd,
    marks: [...new Map(marks.map((mark) => [withoutNumbers(mark), mark])).values()],
    interval: off.length === 0 || off.every((token) => intervalContains(token) === undefined) ? undefined : off.every(holds),
    dollars,
    failures: [
      ...(unexcused.length > 0 ? [`price of ${toNames(unexcused.map(({ symbol }) => symbol))}`] : []),
      ...(risen.length > 0 ? [`confidence of ${toNames(risen)} rose`] : []),
      ...(cheap.length > 0 ? [`a place for ${toNames(cheap)} cost less than was said`] : []),
      ...(lowered.length > 0 ? [`organic volume of ${toNames(lowered)} fell`] : []),
      ...(counted.length > 0 ? [`organic volume of ${toNames(counted)}`] : []),
      ...(dollars.percent > errorPercentMax ? [`dollars: ${dollars.what}`] : []),
    ],
  }
}

/** Whether a target is trusted more than before, or has a place that it did not pay: the control has to say whether that is the attack's doing. */
export function needsControl(evidence: Omit<Evidence, 'stored'>): boolean {
  return listRisen(evidence).length > 0 || listCheapEntries(evidence).length > 0
}

/** Targets that had no place before, nor have one at the same block without the attack, and paid less than a place was said to cost. */
function listCheapEntries(evidence: Omit<Evidence, 'stored'>): string[] {
  const { targets, during, costUsd = Number.POSITIVE_INFINITY, control = [] } = evidence
  return targets.filter((symbol) => {
    const entry = findEntry(evidence, symbol)
    if (entry < 0 || costUsd >= findSaidUsd(evidence, symbol)) return false
    return !(control[entry]?.block === during[entry]?.block && control[entry]?.trending.includes(symbol))
  })
}

/** Targets that have less organic volume at the end than before the attack. */
function listLowered({ targets, before, during }: Omit<Evidence, 'stored'>): string[] {
  const organicOf = (samples: readonly Sample[], symbol: string) => ofTargets(samples.slice(-1), [symbol])[0]?.organicUsd ?? 0
  return targets.filter((symbol) => organicOf(during, symbol) < organicOf(before, symbol) * (1 - organicFallMax))
}

/** Targets whose own trades once counted as organic. */
function listCounted({ targets, during }: Omit<Evidence, 'stored'>): string[] {
  return targets.filter((symbol) => ofTargets(during, [symbol]).some(({ organicUsd = 0 }) => organicUsd >= organicFloor))
}

/** @returns the place in `during` of the first look at which the target has a place; -1: it has none, or had one before */
function findEntry({ before, during }: Pick<Evidence, 'before' | 'during'>, symbol: string): number {
  const hasPlace = ({ trending }: Sample) => trending.includes(symbol)
  return before.some(hasPlace) ? -1 : during.findIndex(hasPlace)
}

function findSaidUsd({ before, during }: Pick<Evidence, 'before' | 'during'>, symbol: string): number {
  return (during[findEntry({ before, during }, symbol) - 1] ?? before.at(-1))?.costOfPlaceUsd ?? 0
}

/**
 * Targets that were once trusted more than ever before the attack, and more than at the same block without it. An honest market is
 * trusted more by itself: its pools get older. A target that the control lacks is held against itself before the attack alone.
 */
function listRisen({ targets, before, during, control = [] }: Omit<Evidence, 'stored'>): string[] {
  return targets.filter((symbol) =>
    during.some((sample, i) => {
      const beside = control[i]?.block === sample.block ? [control[i]] : []
      const least = Math.max(confidenceOf(before, symbol), confidenceOf(beside, symbol))
      return confidenceOf([sample], symbol) > least + confidenceStep
    }),
  )
}

/** Tokens that were said to be missing from their pools soon after the attack began, and from then on to the end. */
function listUnproven(during: readonly Sample[]): string[] {
  const [first, last] = [during[0], during.at(-1)]
  if (!first || !last) return []
  const isOpen = (symbol: string) => (token: TokenSample) => token.symbol === symbol && !token.isShort
  return last.tokens.flatMap(({ symbol }) => {
    const lapse = during.findLastIndex(({ tokens }) => tokens.some(isOpen(symbol)))
    const from = during[lapse + 1]
    return from && from.seconds - first.seconds <= unmarkedSecondsMax ? [symbol] : []
  })
}

type Marks = { readonly isNew: (reason: string) => boolean; readonly unmarkedSeconds: number }

/** A mark of what cannot be sold must be news, and there soon: no interval says what it is about. */
function isExcused(token: TokenSample, { isNew, unmarkedSeconds }: Marks): boolean {
  if (token.honestUsd !== undefined) return isMarked(token) && holds(token)
  return token.reasons.some(isNew) || unmarkedSeconds <= unmarkedSecondsMax
}

/** From the first price of something that cannot be sold until what follows the last one that nothing new was said about. */
function countUnmarked(during: readonly Sample[], isNew: (reason: string) => boolean): number {
  const isUnsellable = ({ honestUsd, status }: TokenSample) => honestUsd === undefined && status !== 'unpriced'
  const first = during.find(({ tokens }) => tokens.some(isUnsellable))
  const last = during.findLastIndex(({ tokens }) => tokens.some((token) => isUnsellable(token) && !token.reasons.some(isNew)))
  if (!first || last < 0) return 0
  // Never marked to the end: not even the last look excuses it.
  return last === during.length - 1 ? Number.POSITIVE_INFINITY : (during[last + 1]?.seconds ?? 0) - first.seconds
}

function holds(token: TokenSample): boolean {
  return intervalContains(token) === true
}

function findWorst(samples: readonly Sample[]): Judgement['worst'] {
  let worst = { symbol: '', percent: 0 }
  for (const token of samples.flatMap(({ tokens }) => tokens)) {
    const percent = errorPercent(token)
    if (percent > worst.percent) worst = { symbol: token.symbol, percent }
  }
  return worst
}

/** A price counts until the next look at it. */
function countWrongSeconds(samples: readonly Sample[]): number {
  return samples.reduce((sum, { tokens, seconds }, i) => {
    const isWrong = tokens.some((token) => errorPercent(token) > errorPercentMax)
    return isWrong ? sum + Math.max(0, (samples[i + 1]?.seconds ?? seconds) - seconds) : sum
  }, 0)
}

function ofTargets(samples: readonly Sample[], targets: readonly string[]): TokenSample[] {
  return samples.flatMap(({ tokens }) => tokens.filter(({ symbol }) => targets.includes(symbol)))
}

function confidenceOf(samples: readonly Sample[], symbol: string): number {
  return Math.max(0, ...ofTargets(samples, [symbol]).map(({ confidence }) => confidence))
}

function findAdded(before: readonly TokenSample[], during: readonly TokenSample[]): Judgement['added'] {
  const last = before.at(-1)
  const volumeUsd = Math.max(0, ...during.map((token) => token.volumeUsd)) - (last?.volumeUsd ?? 0)
  const organic = during.flatMap(({ organicUsd }) => organicUsd ?? [])
  return { volumeUsd, organicUsd: organic.length === 0 ? undefined : Math.max(...organic) - (last?.organicUsd ?? 0) }
}

function bestPlace(samples: readonly Sample[], symbol: string): number | undefined {
  const places = samples.map(({ trending }) => trending.indexOf(symbol) + 1).filter((place) => place > 0)
  return places.length > 0 ? Math.min(...places) : undefined
}

/** Ages and depths in a reason change with every block. */
function withoutNumbers(reason: string): string {
  return reason.replaceAll(/[\d.,]+[KMB]?/g, '#')
}

function findWorstDollars(stored: readonly StoredDollars[]): Judgement['dollars'] {
  let worst = { what: '', percent: 0 }
  for (const { what, storedUsd, honestUsd } of stored) {
    if (Math.max(storedUsd, honestUsd) < dollarsFloor) continue
    const percent = (100 * Math.abs(storedUsd - honestUsd)) / Math.max(honestUsd, dollarsFloor)
    if (percent > worst.percent) worst = { what, percent }
  }
  return worst
}

/** Each once, the first few by name. */
function toNames(symbols: readonly string[]): string {
  const names = [...new Set(symbols)]
  const more = names.length - namesShown
  return more > 0 ? `${names.slice(0, namesShown).join(', ')} and ${more} more` : names.join(', ')
}
