import type { Snapshot } from './takeSnapshot.ts'

const calmMs = 2_000

export type SnapshotKeeper = {
  /** The newest snapshot. */
  current(): Snapshot
  /**
   * Says that the index changed: a new snapshot is taken, one at a time; further words meanwhile make one more. What is not
   * urgent, an index that is still catching up, makes one every 2 s at most.
   * Resolves when no further snapshot is wanted.
   */
  refresh(options: { readonly urgent: boolean }): Promise<void>
  /** Puts one in place that was taken otherwise: from what is known already, when news came from elsewhere than the index. */
  replace(snapshot: Snapshot): void
  /** Calls `listener` after every new snapshot. @returns ends that */
  watch(listener: () => void): () => void
  /** Resolves when no snapshot is being taken. */
  stop(): Promise<void>
}

/**
 * Keeps one snapshot for everybody. A snapshot that cannot be taken leaves the last one in place.
 * @param take reads the market as it is now
 */
export async function keepSnapshot(take: () => Promise<Snapshot>, onError: (error: unknown) => void): Promise<SnapshotKeeper> {
  let snapshot = await take()
  let takenAtMs = performance.now()
  let wanted = false
  let stopped = false
  let running: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const put = (next: Snapshot) => {
    snapshot = next
    for (const listener of listeners) {
      try {
        listener()
      } catch (error) {
        onError(error)
      }
    }
  }

  const run = async () => {
    while (wanted && !stopped) {
      wanted = false
      try {
        put(await take())
        takenAtMs = performance.now()
      } catch (error) {
        onError(error)
      }
    }
    running = undefined
  }

  return {
    current: () => snapshot,
    refresh: async ({ urgent }) => {
      if (!urgent && performance.now() - takenAtMs < calmMs) return
      wanted = true
      running ??= run()
      await running
    },
    replace: put,
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: async () => {
      stopped = true
      await running
    },
  }
}
