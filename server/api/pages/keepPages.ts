import { LRUCache } from 'lru-cache'
import type { PackedPage } from './pageThread.ts'

export type KeptPage = PackedPage & {
  /** The market that it was drawn from, which is large: a page that nobody asks for any more does not hold it. */
  readonly of: WeakRef<object>
  /** The built page that it was drawn into. */
  readonly shell: string
  readonly drawnAtMs: number
}

/** Pages by path, up to so many bytes: those go first that were asked for longest ago. */
export function keepPages(bytesMax: number): LRUCache<string, KeptPage> {
  const sizeOf = ({ packed, shell }: KeptPage, path: string) => 2 * (path.length + shell.length) + packed.byteLength
  return new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf })
}
