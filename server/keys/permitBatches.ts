import type { QuotaChange, QuotaGrant } from '../store/quotas.ts'

/** Changes that one transaction carries. */
const changesMax = 1_000

/** Writes changes durably in one transaction. @throws when nothing of it can be relied on */
export type SaveQuotas = (changes: { returns: readonly QuotaChange[]; takes: readonly QuotaChange[] }) => Promise<QuotaGrant[]>

type Take = {
  readonly change: QuotaChange
  readonly resolve: (grant: QuotaGrant) => void
  readonly reject: (error: unknown) => void
}

export type PermitBatches = {
  /** Resolves when the permits are persisted, not before. Rejects when it is not known whether they are. */
  take(change: QuotaChange): Promise<QuotaGrant>
  /** Puts permits back that were not spent. Should that fail, they are lost for the day: never given twice. */
  giveBack(change: QuotaChange): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/** Everything that is asked for while a transaction runs goes into the next one together. */
export function createPermitBatches(save: SaveQuotas): PermitBatches {
  let takes: Take[] = []
  let returns = new Map<string, QuotaChange>()
  let running: Promise<void> | undefined

  const collect = () => {
    const seen = new Set<string>()
    const now: Take[] = []
    const later: Take[] = []
    for (const take of takes) {
      const name = nameOf(take.change)
      // Two of one principal in a statement would not see each other.
      if (now.length >= changesMax || seen.has(name)) later.push(take)
      else now.push(take)
      seen.add(name)
    }
    takes = later
    const back = [...returns.values()]
    returns = new Map(back.slice(changesMax).map((change) => [nameOf(change), change]))
    return { now, back: back.slice(0, changesMax) }
  }
  const run = async () => {
    // What the same moment asks for comes along.
    await Promise.resolve()
    while (takes.length > 0 || returns.size > 0) {
      const { now, back } = collect()
      try {
        const grants = await save({ returns: back, takes: now.map(({ change }) => change) })
        for (const [i, { resolve, reject }] of now.entries()) {
          const grant = grants[i]
          if (grant) resolve(grant)
          else reject(new Error(`${grants.length} grants for ${now.length} changes`))
        }
      } catch (error) {
        for (const { reject } of now) reject(error)
      }
    }
    running = undefined
  }
  const start = () => {
    running ??= run()
  }
  return {
    take: (change) =>
      new Promise((resolve, reject) => {
        takes.push({ change, resolve, reject })
        start()
      }),
    giveBack: (change) => {
      const before = returns.get(nameOf(change))
      returns.set(nameOf(change), { ...change, want: change.want + (before?.want ?? 0) })
      start()
    },
    settled: async () => {
      while (running) await running
    },
  }
}

function nameOf({ principal, day }: QuotaChange): string {
  return `${day} ${principal}`
}
