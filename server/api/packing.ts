import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toOwnBytes } from './toOwnBytes.ts'

/** How an answer is packed, by the name that HTTP has for it. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A higher one costs seconds for a long list. */
const brotliQuality = 4
/** Less is sent as it is. */
export const packedFromBytes = 1_024

/** Packs an answer; `identity` leaves it as it is. */
export async function packBytes(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return plain
  return encoding === 'gzip' ? promisify(gzip)(plain) : promisify(brotliCompress)(plain, brotliOptions)
}

/** Sends JSON that is packed already, with the head that says so. */
export function sendPacked(reply: FastifyReply, encoding: Encoding, bytes: Buffer): FastifyReply {
  if (encoding !== 'identity') reply.headers({ 'Content-Encoding': encoding, Vary: 'accept-encoding' })
  return reply.type('application/json; charset=utf-8').send(bytes)
}

type Written = { readonly of: object; readonly form: string; readonly toWire: () => unknown }

/**
 * Sends what `toWire` makes of a value that many ask for: written once for each form and packed once for each encoding, for as long
 * as the value itself is kept.
 */
export function createSendOnce() {
  const kept = new WeakMap<object, Map<string, Promise<Buffer>>>()
  return async (request: FastifyRequest, reply: FastifyReply, { of, form, toWire }: Written): Promise<FastifyReply> => {
    const forms = kept.get(of) ?? new Map<string, Promise<Buffer>>()
    kept.set(of, forms)
    const keep = (name: string, make: () => Promise<Buffer>): Promise<Buffer> => {
      const known = forms.get(name)
      if (known) return known
      const bytes = make()
      forms.set(name, bytes)
      // What failed is not kept.
      bytes.catch(() => forms.delete(name))
      return bytes
    }
    const plain = await keep(form, async () => toOwnBytes(String(reply.serialize(toWire()))))
    const encoding = plain.length < packedFromBytes ? 'identity' : pickEncoding(request.headers['accept-encoding'])
    const bytes = encoding === 'identity' ? plain : await keep(`${form} ${encoding}`, () => packBytes(plain, encoding))
    return sendPacked(reply, encoding, bytes)
  }
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }

/** The best way to pack that a caller takes. */
export function pickEncoding(header: string | string[] | undefined): Encoding {
  const taken = String(header ?? '')
    .split(',')
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    )
    .filter(([, ...rules]) => !rules.some((rule) => /^q=0(\.0*)?$/.test(rule)))
    .map(([name]) => name)
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : 'identity'
}
