import { describe, expect, it } from 'vitest'
import { capMemory } from './capMemory.ts'

const head = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
/** A module that makes a memory of one page and names it `m`. */
const growing = Uint8Array.from([...head, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0])

async function memoryOf(wasm: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> {
  const { instance } = await WebAssembly.instantiate(wasm)
  const { m } = instance.exports
  if (!(m instanceof WebAssembly.Memory)) throw new TypeError('no memory')
  return m
}

describe('a module with capped memory', () => {
  it('grows up to the limit, and no further', async () => {
    const memory = await memoryOf(Uint8Array.from(capMemory(growing, 200 * 65_536)))
    expect(memory.grow(199)).toBe(1)
    expect(() => memory.grow(1)).toThrow(RangeError)
    // The one that it was made of has no limit.
    expect((await memoryOf(growing)).grow(200)).toBe(1)
  })

  it('is refused when its memory is another one than expected', () => {
    const limited = Uint8Array.from([...head, 5, 4, 1, 1, 1, 2])
    const without = Uint8Array.from([...head, 7, 1, 0])
    for (const wasm of [limited, without, Uint8Array.from([...head, 5, 0xff, 0xff, 0xff, 0xff, 0xff])])
      expect(() => capMemory(wasm, 65_536)).toThrow(/^The renderer/)
  })
})
