import { mkdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Failure } from '@chainboard/core'
import type { ChainRange } from '../chain/chain.ts'

const [pack, unpack] = [promisify(gzip), promisify(gunzip)]
/** Of the packed files together. */
const bytesMax = 4 * 1024 ** 3

type Stored = { readonly from: number; readonly to: number; readonly file: string }

/** Ranges of blocks on disk, so that a month of logs is read from the node once and is never in memory whole. */
export type LogSpool = {
  /** Keeps a range. @throws Failure `store-full` when more is kept than the named limit */
  put(span: { readonly from: number; readonly to: number }, range: ChainRange): Promise<void>
  /** Blocks of a span that are not kept, ascending. */
  missing(from: number, to: number): { readonly from: number; readonly to: number }[]
  /** Kept ranges from a block on, in the order of the chain. */
  read(from: number): AsyncIterable<ChainRange>
  /** Forgets all ranges. */
  clear(): void
}

/** @param folder is emptied now, and removed by `clear` */
export function createLogSpool(folder: string): LogSpool {
  let kept: Stored[] = []
  let bytes = 0
  const clear = () => {
    rmSync(folder, { recursive: true, force: true })
    kept = []
    bytes = 0
  }
  clear()
  return {
    put: async ({ from, to }, { headers, logs }) => {
      const packed = await pack(JSON.stringify({ headers, logs }), { level: 1 })
      if (bytes + packed.length > bytesMax) throw full()
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `${from}-${to}.json.gz`)
      await writeFile(file, packed).catch((error: NodeJS.ErrnoException) => {
        throw new Failure('store-full', `Logs of the last month cannot be stored: ${error.code}`, { retryable: true })
      })
      bytes += packed.length
      // They come in a row, upwards or downwards.
      const place = kept.findIndex((other) => other.from > from)
      kept.splice(place === -1 ? kept.length : place, 0, { from, to, file })
    },
    missing: (from, to) => {
      const gaps: { from: number; to: number }[] = []
      let next = from
      for (const range of kept) {
        if (range.to < next) continue
        if (range.from > to) break
        if (range.from > next) gaps.push({ from: next, to: range.from - 1 })
        next = range.to + 1
      }
      if (next <= to) gaps.push({ from: next, to })
      return gaps
    },
    async *read(from) {
      for (const { to, file } of [...kept]) {
        if (to >= from) yield JSON.parse((await unpack(await readFile(file))).toString()) as ChainRange
      }
    },
    clear,
  }
}

function full(): Failure {
  return new Failure('store-full', `The last month takes more than ${bytesMax / 1024 ** 3} GB of logs`, {
    retryable: false,
  })
}
