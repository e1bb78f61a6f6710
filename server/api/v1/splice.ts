import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, gzip } from 'node:zlib'
import type { Encoding } from '../packing.ts'

/** The beginning of a body, packed once for everybody; each caller's own end is put behind it as it is. */
export type PackedHead = {
  readonly encoding: Encoding
  readonly bytes: Buffer
  readonly plainLength: number
  readonly crc: number
}

const gzipLevel = 6
const brotliQuality = 5
/** What one stored block of gzip holds. */
export const tailBytesMax = 65_535

/** Packs `plain` so that it can go on: the last byte is flushed, the stream is not ended. */
export async function packHead(plain: Buffer, encoding: Encoding): Promise<PackedHead> {
  const facts = { encoding, plainLength: plain.length, crc: encoding === 'gzip' ? crc32(plain) : 0 }
  if (encoding === 'gzip')
    return { ...facts, bytes: await promisify(gzip)(plain, { level: gzipLevel, finishFlush: constants.Z_SYNC_FLUSH }) }
  if (encoding === 'br') return { ...facts, bytes: await promisify(brotliCompress)(plain, brotliOptions) }
  return { ...facts, bytes: plain }
}

const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
}

/** What follows a packed head so that both unpack to the head and `tail`. @param tail 1 to 65,535 bytes */
export function packTail(head: PackedHead, tail: Buffer): Buffer {
  if (tail.length === 0 || tail.length > tailBytesMax) throw new RangeError(`A tail of ${tail.length} bytes`)
  if (head.encoding === 'gzip') return toGzipEnd(head, tail)
  return head.encoding === 'br' ? toBrotliEnd(tail) : tail
}

/** RFC 1952, RFC 1951 3.2.4: a last stored block (1, length, its complement), then CRC-32 and the length of everything. */
function toGzipEnd({ crc, plainLength }: PackedHead, tail: Buffer): Buffer {
  const end = Buffer.allocUnsafe(tail.length + 13)
  end.writeUInt8(1, 0)
  end.writeUInt16LE(tail.length, 1)
  end.writeUInt16LE(tail.length ^ 0xffff, 3)
  tail.copy(end, 5)
  end.writeUInt32LE(crc32(tail, crc), tail.length + 5)
  end.writeUInt32LE((plainLength + tail.length) % 2 ** 32, tail.length + 9)
  return end
}

/** RFC 7932 9.2: an uncompressed meta-block (not last; 4 nibbles of length - 1; the bit that says so), then an empty last one. */
function toBrotliEnd(tail: Buffer): Buffer {
  const end = Buffer.allocUnsafe(tail.length + 4)
  end.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), 0, 3)
  tail.copy(end, 3)
  end.writeUInt8(3, tail.length + 3)
  return end
}
