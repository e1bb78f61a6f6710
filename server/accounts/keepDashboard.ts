import type { Dashboard } from './readDashboard.ts'

export type DashboardKeeper = {
  current(): Promise<Dashboard>
  /** Something changed here: the next one is read from the store. */
  forget(): void
}

/** What another server on the same database changed shows after so long. */
const keptSeconds = 30

/** Reads once for everybody who asks meanwhile. A reading that failed is not kept. */
export function keepDashboard(read: () => Promise<Dashboard>, nowSeconds: () => number): DashboardKeeper {
  let kept: { readonly reading: Promise<Dashboard>; readonly untilSeconds: number } | undefined
  return {
    current: () => {
      if (kept && nowSeconds() < kept.untilSeconds) return kept.reading
      const reading = read()
      const mine = { reading, untilSeconds: nowSeconds() + keptSeconds }
      kept = mine
      reading.catch(() => {
        if (kept === mine) kept = undefined
      })
      return reading
    },
    forget: () => {
      kept = undefined
    },
  }
}
