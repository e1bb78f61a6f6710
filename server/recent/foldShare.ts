import type { BuildProgress } from './buildIndex.ts'

/** How long folding a block takes, of what reading it takes, before anything was measured. */
const shareFirst = 0.25

/** What of the work of a stage is folding, by the stage before: so the time left holds for both. */
export type FoldShare = {
  see(done: BuildProgress, atMs: number): void
  /** Reading and folding in one: blocks, of which the folded ones count as much as they took before. */
  weigh(done: BuildProgress): { readonly read: number; readonly blocks: number }
}

/** A quarter of the time of reading, before the first stage has shown more. */
export function createFoldShare(): FoldShare {
  let share = shareFirst
  let began: { readonly atMs: number; readonly read: number } | undefined
  let lastRead = 0
  let readMsPerBlock: number | undefined
  let foldBeganMs: number | undefined
  return {
    see({ read, folded, blocks }, atMs) {
      if (folded === 0) {
        // Fewer than a moment ago: reading has begun again.
        if (!began || read < lastRead) began = { atMs, read }
        lastRead = read
        if (read > began.read) readMsPerBlock = (atMs - began.atMs) / (read - began.read)
        foldBeganMs = atMs
      } else if (folded === blocks) {
        if (readMsPerBlock && foldBeganMs !== undefined) share = (atMs - foldBeganMs) / blocks / readMsPerBlock
        began = undefined
      }
    },
    weigh: ({ read, folded, blocks }) => ({
      read: Math.round(read + folded * share),
      blocks: Math.max(1, Math.round(blocks * (1 + share))),
    }),
  }
}
