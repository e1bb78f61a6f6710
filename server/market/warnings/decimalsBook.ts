import type { WireWarning } from '@chainboard/contract'
import type { Address } from '@chainboard/core'

/** So many readings in a row have to differ: a node may say something wrong once. */
const readingsMin = 2

/** `decimals` are the index's, by which all of its figures are; `decimalsOnChain` what the contract says now, undefined: nothing. */
type DecimalsReading = { readonly decimals: number; readonly decimalsOnChain: number | undefined }

type Entry = { readonly differing: number; readonly decimals: number; readonly decimalsOnChain: number }

export type DecimalsBook = {
  note(token: Address, reading: DecimalsReading): void
  warn(token: Address): readonly WireWarning[]
}

/** Remembers which tokens say other decimals than the index has. A contract that does not answer changes nothing. */
export function createDecimalsBook(): DecimalsBook {
  const entries = new Map<Address, Entry>()
  return {
    note: (token, { decimals, decimalsOnChain }) => {
      if (decimalsOnChain === undefined) return
      if (decimalsOnChain === decimals) return void entries.delete(token)
      entries.set(token, { differing: (entries.get(token)?.differing ?? 0) + 1, decimals, decimalsOnChain })
    },
    warn: (token) => {
      const entry = entries.get(token)
      if (!entry || entry.differing < readingsMin) return []
      const { decimals, decimalsOnChain } = entry
      const text = `Its contract now reports ${decimalsOnChain} decimals instead of ${decimals}. Price and supply here still use ${decimals}`
      return [{ code: 'decimals-changed', text }]
    },
  }
}
