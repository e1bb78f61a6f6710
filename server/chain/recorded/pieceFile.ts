import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Hex } from '@chainboard/core'
import type { ChainRange } from '../chain.ts'
import { isJoined, toAnchor } from '../history/pieces.ts'

const [pack, unpack] = [promisify(zstdCompress), promisify(zstdDecompress)]
const magic = Buffer.from('CBRANGE1')
const checksumBytes = 32
/** Unpacked, at most: what is larger was not written by us. */
const unpackedMax = 512 * 1024 ** 2

/** Blocks that one file has, ends included, and the hash of the last one. */
export type Piece = { readonly from: number; readonly to: number; readonly hash: Hex }

/** `1-500-0xab….range`: the first and the last block, and the hash of the last one. */
export function toFileName({ from, to, hash }: Piece): string {
  return `${from}-${to}-${hash}.range`
}

/** @returns undefined for the name of any other file */
export function parseFileName(name: string): Piece | undefined {
  const [, from, to, hash] = /^(\d{1,15})-(\d{1,15})-0x([0-9a-f]{64})\.range$/.exec(name) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to), hash: `0x${hash}` }
}

/** What ranges that follow each other are a piece of. */
export function toPiece(ranges: readonly ChainRange[]): Piece | undefined {
  const [first, last] = [ranges[0]?.headers[0], ranges.at(-1)?.headers.at(-1)]
  return first && last && { from: first.number, to: last.number, hash: last.hash }
}

/** Ranges as bytes: a mark, the SHA-256 of what follows, and that, compressed. */
export async function packRanges(ranges: readonly ChainRange[]): Promise<Buffer> {
  const body = await pack(JSON.stringify(ranges.map(({ headers, logs }) => ({ headers, logs }))))
  return Buffer.concat([magic, checksum(body), body])
}

/**
 * The ranges in the bytes of a piece.
 * @returns undefined when they are not those that were written
 */
export async function unpackRanges(bytes: Buffer, piece: Piece): Promise<ChainRange[] | undefined> {
  const bodyAt = magic.length + checksumBytes
  const body = bytes.subarray(bodyAt)
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined
  if (!bytes.subarray(magic.length, bodyAt).equals(checksum(body))) return undefined
  const ranges = JSON.parse((await unpack(body, { maxOutputLength: unpackedMax })).toString()) as ChainRange[]
  const found = toPiece(ranges)
  const isWhole = ranges.every((range, i) => {
    const before = ranges[i - 1]
    return !before || isJoined(range, toAnchor(before, 'up'))
  })
  return isWhole && found?.from === piece.from && found.to === piece.to && found.hash === piece.hash ? ranges : undefined
}

function checksum(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest()
}
