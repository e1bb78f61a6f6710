import { formatRelativeTime, formatRemaining, type StatusState } from '@chainboard/core'
import type { StatusReport } from './useStatus.ts'

export type StatusFacts = {
  readonly report: StatusReport | undefined
  /** Unix seconds by this device, of the last answer. */
  readonly receivedAtSeconds: number
  /** The last call failed. */
  readonly failing: boolean
  readonly nowSeconds: number
  /** Times of day are the server's, in UTC: nobody knows yet where the reader is. */
  readonly inUtc?: boolean
}

/** `lost`: the server itself is silent, which every figure on the page says for itself. */
export type StatusText = { readonly tone: 'live' | 'busy' | 'warn' | 'lost'; readonly text: string }

function clock(atSeconds: number, inUtc: boolean): string {
  return new Date(atSeconds * 1000).toLocaleTimeString('en-GB', inUtc ? { timeZone: 'UTC', timeZoneName: 'short' } : {})
}

function blockName(block: number): string {
  return `block ${block.toLocaleString('en-US')}`
}

/** The state of the data in one sentence; `undefined` while nothing is known. */
export function describeStatus({
  report,
  receivedAtSeconds,
  failing,
  nowSeconds,
  inUtc = false,
}: StatusFacts): StatusText | undefined {
  if (failing && !report) return { tone: 'lost', text: 'The server is not responding.' }
  if (!report) return undefined
  if (failing)
    return {
      tone: 'lost',
      text: `No response from the server since ${clock(receivedAtSeconds, inUtc)}. Showing the last known figures.`,
    }
  return describeIndex(report, { receivedAtSeconds, nowSeconds, inUtc })
}

type Clock = Pick<Required<StatusFacts>, 'receivedAtSeconds' | 'nowSeconds' | 'inUtc'>

function describeIndex({ status, clockSkewSeconds }: StatusReport, { receivedAtSeconds, nowSeconds, inUtc }: Clock): StatusText {
  const { state, block, blockTime, secondsSinceContact } = status
  const stays = 'Showing the last known figures.'
  if (state === 'disconnected') {
    if (secondsSinceContact === null) return { tone: 'warn', text: 'The chain has not responded since the server started.' }
    return {
      tone: 'warn',
      text: `No response from the chain since ${clock(receivedAtSeconds - secondsSinceContact, inUtc)}. ${stays}`,
    }
  }
  const trouble = troubles[state]
  if (trouble !== undefined) return { tone: 'warn', text: `${trouble} ${stays}` }
  if (block === null || blockTime === null) return { tone: 'busy', text: describeProgress(status) ?? 'Reading the chain.' }
  if (state === 'syncing') return { tone: 'busy', text: describeReading({ ...status, block }) }
  // Prices are those of now; what is read beside them is told.
  const behind = describeProgress(status, true)
  if (state === 'live' && behind !== undefined) return { tone: 'busy', text: behind }
  const age = formatRelativeTime(blockTime, nowSeconds - clockSkewSeconds)
  if (state === 'stalled')
    return {
      tone: 'warn',
      text: `No new block since ${clock(blockTime + clockSkewSeconds, inUtc)}: ${blockName(block)}, ${age}.`,
    }
  return { tone: 'live', text: `${blockName(block)[0]?.toUpperCase()}${blockName(block).slice(1)} · ${age}` }
}

function describeReading({ block, lagBlocks, progress }: StatusReport['status'] & { readonly block: number }): string {
  return (
    describeProgress({ progress }) ?? `Reading the chain: ${blockName(block)}, ${(lagBlocks ?? 0).toLocaleString('en-US')} to go`
  )
}

type Phase = NonNullable<StatusReport['status']['progress']>['phase']

const phases: Readonly<Record<Phase, string>> = {
  prices: 'Reading current prices',
  day: 'Prices are live. Reading the last day',
  month: 'Prices are live. Reading the last 31 days',
  history: 'Reading the chain',
}
const historyBeside = 'Prices and charts are live. Reading the history'

/** @param isLive whether what is shown is of now: the history is read beside it */
function describeProgress({ progress }: Pick<StatusReport['status'], 'progress'>, isLive = false): string | undefined {
  if (!progress) return undefined
  const { phase, percent, secondsLeft, blocksPerSecond } = progress
  const what = isLive && phase === 'history' ? historyBeside : phases[phase]
  return `${what}: ${percent}%, ${formatRemaining(secondsLeft)} left at ${blocksPerSecond.toLocaleString('en-US')} blocks a second`
}

/** What is wrong, for a visitor: the operator's details are in the server's own answer. */
const troubles: Readonly<Partial<Record<StatusState, string>>> = {
  'wrong-chain': 'The node is on the wrong chain.',
  'node-behind': 'The node is behind the chain.',
  disputed: 'The node contradicts earlier data.',
  unverified: 'Some data does not match the chain. The server is reloading it.',
  'storage-failing': 'The database is down.',
  failing: 'The server cannot read the chain at the moment.',
}
