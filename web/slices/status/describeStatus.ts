import { formatRelativeTime } from '@chainboard/core'
import type { StatusReport } from './useStatus.ts'

/** A block this old on a chain that answers means that the chain stands still. */
const blockAgeSecondsMax = 120

export type StatusFacts = {
  readonly report: StatusReport | undefined
  /** Unix seconds by this device, of the last answer. */
  readonly receivedAtSeconds: number
  /** The last call failed. */
  readonly failing: boolean
  readonly nowSeconds: number
}

/** `lost`: the server itself is silent, which every figure on the page says for itself. */
export type StatusText = { readonly tone: 'live' | 'busy' | 'warn' | 'lost'; readonly text: string }

function clock(atSeconds: number): string {
  return new Date(atSeconds * 1000).toLocaleTimeString('en-GB')
}

function blockName(block: number): string {
  return `block ${block.toLocaleString('en-US')}`
}

/** The state of the data in one sentence; `undefined` while nothing is known. */
export function describeStatus({ report, receivedAtSeconds, failing, nowSeconds }: StatusFacts): StatusText | undefined {
  if (failing && !report) return { tone: 'lost', text: 'The server does not answer.' }
  if (!report) return undefined
  if (failing)
    return {
      tone: 'lost',
      text: `No answer from the server since ${clock(receivedAtSeconds)}. Figures are the last ones received.`,
    }
  const { status, clockSkewSeconds } = report
  const { state, block, blockTime, lagBlocks, secondsSinceContact } = status
  if (state === 'disconnected') {
    if (secondsSinceContact === null) return { tone: 'warn', text: 'The chain has not answered since the server started.' }
    const since = clock(receivedAtSeconds - secondsSinceContact)
    return { tone: 'warn', text: `No answer from the chain since ${since}. Figures are the last known ones.` }
  }
  if (block === null || blockTime === null) return { tone: 'busy', text: 'Reading the chain.' }
  if (state === 'syncing')
    return { tone: 'busy', text: `Reading the chain: ${blockName(block)}, ${lagBlocks.toLocaleString('en-US')} to go` }
  const nowOnServer = nowSeconds - clockSkewSeconds
  const age = formatRelativeTime(blockTime, nowOnServer)
  if (nowOnServer - blockTime > blockAgeSecondsMax)
    return { tone: 'warn', text: `No new block since ${clock(blockTime + clockSkewSeconds)}: ${blockName(block)}, ${age}.` }
  return { tone: 'live', text: `${blockName(block)[0]?.toUpperCase()}${blockName(block).slice(1)} · ${age}` }
}
