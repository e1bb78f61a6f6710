import { createHash as nodeHash } from 'node:crypto'
import { setTimeout as nodePause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createHash, randomInt } from './nodeCrypto.ts'
import { setTimeout as pause, setImmediate as turn } from './nodeTimers.ts'

test('texts have the same hash as in Node', () => {
  // SHA-256 of "abc", from FIPS 180.
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(createHash('sha256').update('a').update('bc').digest('hex')).toBe(known)
  expect(createHash('sha256').update('€\n').digest('hex')).toBe(nodeHash('sha256').update('€\n').digest('hex'))
})

test('a number by chance is below its limit', () => {
  for (let i = 0; i < 200; i += 1) {
    const number = randomInt(3)
    expect([0, 1, 2]).toContain(number)
  }
})

test('a pause ends by itself with its value, and at once when it is given up, as in Node', async () => {
  await turn()
  expect(await pause(1, 'done')).toBe('done')
  for (const either of [pause, nodePause]) {
    const early = new AbortController()
    early.abort(new RangeError('enough'))
    await expect(either(60_000, undefined, { signal: early.signal })).rejects.toThrow()
    const late = new AbortController()
    const waiting = either(60_000, undefined, { signal: late.signal })
    late.abort(new RangeError('enough'))
    await expect(waiting).rejects.toThrow()
  }
})
