import type { PackedPage } from './pageThread.ts'

export type KeptPage = PackedPage & {
  /** The market and the built page that it was drawn from. */
  readonly of: object
  readonly shell: string
  readonly drawnAtMs: number
}

/** Pages by path, up to so many bytes: those go first that were asked for longest ago. */
export function keepPages(bytesMax: number) {
  const pages = new Map<string, KeptPage>()
  let bytes = 0
  const sizeOf = (path: string, { packed, shell }: KeptPage) => 2 * (path.length + shell.length) + packed.byteLength
  const drop = (path: string): void => {
    const page = pages.get(path)
    if (!page) return
    bytes -= sizeOf(path, page)
    pages.delete(path)
  }
  return {
    get(path: string): KeptPage | undefined {
      const page = pages.get(path)
      if (!page) return undefined
      pages.delete(path)
      pages.set(path, page)
      return page
    },
    put(path: string, page: KeptPage): void {
      drop(path)
      pages.set(path, page)
      bytes += sizeOf(path, page)
      for (const oldest of pages.keys()) {
        if (bytes <= bytesMax) return
        drop(oldest)
      }
    },
    bytes: () => bytes,
  }
}
