import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createSendOnce, pickEncoding } from './packing.ts'

/** Answers `kept.value`; `made` tells how often it was written. */
function open() {
  const world = { kept: { value: 'a'.repeat(2_000) }, made: 0, isBroken: false }
  const sendOnce = createSendOnce()
  const app = fastify()
  app.get('/', (request, reply) =>
    sendOnce(request, reply, {
      of: world.kept,
      form: 'all',
      toWire: () => {
        world.made += 1
        if (world.isBroken) throw new Error('cannot be written')
        return { value: world.kept.value }
      },
    }),
  )
  const ask = async (accepted?: string) => {
    const { statusCode, headers, rawPayload } = await app.inject({
      url: '/',
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })
    return { statusCode, encoding: headers['content-encoding'], vary: headers.vary, rawPayload }
  }
  return { world, ask }
}

const long = `{"value":"${'a'.repeat(2_000)}"}`

describe('an answer that many ask for', () => {
  it('is written once, no matter who takes it in whichever encoding, and can be read in each', async () => {
    const { world, ask } = open()
    const [plain, br, gzip, again] = [await ask(), await ask('gzip, br'), await ask('gzip'), await ask('br')]
    expect(plain).toMatchObject({ statusCode: 200, encoding: undefined, vary: undefined })
    expect(plain.rawPayload.toString()).toBe(long)
    expect(br).toMatchObject({ encoding: 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(long)
    expect(gzip).toMatchObject({ encoding: 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(long)
    expect(again.rawPayload).toEqual(br.rawPayload)
    expect(world.made).toBe(1)
  })

  it('is another one with another value', async () => {
    const { world, ask } = open()
    await ask('br')
    world.kept = { value: 'new' }
    const { encoding, rawPayload } = await ask('br')
    expect(rawPayload.toString()).toBe('{"value":"new"}')
    // Too short to pack.
    expect(encoding).toBeUndefined()
  })

  it('is tried again after it could not be written', async () => {
    const { world, ask } = open()
    world.isBroken = true
    expect((await ask()).statusCode).toBe(500)
    world.isBroken = false
    expect((await ask()).rawPayload.toString()).toBe(long)
  })
})

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['BR;q=0.5, gzip;q=1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0, gzip; q=0', 'identity'],
  ['deflate', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('for "%s" an answer is packed as %s', (header, encoding) => expect(pickEncoding(header)).toBe(encoding))
