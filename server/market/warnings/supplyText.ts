import type { WireWarning } from '@chainboard/contract'
import { formatAmount } from '@chainboard/core'
import type { SupplyChange } from './supplyBook.ts'

/** More of the chain's supply than this is no rounding of the list any more. */
const contradictionShare = 0.01

/** `400,000,000, and 500,000,000 on the chain` when a list's supply is more than 1 % off, in whole tokens; undefined when not. */
export function contradictSupply(listed: number, onChain: number): string | undefined {
  if (Math.abs(listed - onChain) <= onChain * contradictionShare) return undefined
  return `${toText(listed)}, but ${toText(onChain)} on the chain`
}

/**
 * @param listed whole tokens, by the list; undefined: it says nothing
 * @param onChain whole tokens; undefined: not known
 */
export function warnOfContradiction(listed: number | undefined, onChain: number | undefined): WireWarning[] {
  const found = listed === undefined || onChain === undefined ? undefined : contradictSupply(listed, onChain)
  return found === undefined ? [] : [{ code: 'supply-contradicts', text: `The listed supply is ${found}` }]
}

/** @param change undefined: none worth a warning */
export function warnOfChange(change: SupplyChange | undefined): WireWarning[] {
  if (!change) return []
  const { from, to } = change
  const between = from.seenAtSeconds === undefined ? 'before' : `between ${toTime(from.seenAtSeconds)} and`
  const text = `The supply changed from ${toText(from.supply)} to ${toText(to.supply)} ${between} ${toTime(to.seenAtSeconds)} UTC`
  return [{ code: 'supply-changed', text }]
}

/** Decimals are rounded where there are whole tokens. */
function toText(supply: number): string {
  return supply >= 1 ? formatAmount(supply) : String(supply)
}

/** `2026-11-23 14:05:30` */
function toTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}
