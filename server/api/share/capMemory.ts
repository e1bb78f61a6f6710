import { Failure } from '@chainboard/core'

/** A module begins with its name and its version. */
const headBytes = 8
const memorySection = 5
const pageBytes = 65_536

/**
 * A WebAssembly module whose memory cannot grow beyond `bytesMax`: what needs more ends with an error. The renderer's own has no limit, and
 * no option of Node sets one for a thread.
 * @param wasm a module that makes its own memory, without a limit
 * @throws Failure `config-invalid` for another one
 */
export function capMemory(wasm: Uint8Array, bytesMax: number): Uint8Array {
  for (let at = headBytes; at < wasm.length; ) {
    const size = readNumber(wasm, at + 1)
    const end = size.end + size.value
    if (wasm[at] === memorySection) return replaceLimits(wasm, { at, start: size.end, end }, Math.floor(bytesMax / pageBytes))
    at = end
  }
  throw new Failure('config-invalid', 'The renderer has no memory of its own')
}

type Section = { readonly at: number; readonly start: number; readonly end: number }

function replaceLimits(wasm: Uint8Array, { at, start, end }: Section, pagesMax: number): Uint8Array {
  const [count, flags] = wasm.subarray(start, end)
  const least = readNumber(wasm, start + 2)
  if (count !== 1 || flags !== 0 || least.end !== end)
    throw new Failure('config-invalid', 'The renderer’s memory is not as expected: one, without a limit')
  const limits = [1, 1, ...toLeb(least.value), ...toLeb(pagesMax)]
  return Buffer.concat([
    wasm.subarray(0, at),
    Uint8Array.from([memorySection, ...toLeb(limits.length), ...limits]),
    wasm.subarray(end),
  ])
}

/** A number in LEB128, as modules have them. */
function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let at = from; at < from + 5; at += 1) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  throw new Failure('config-invalid', 'The renderer is no WebAssembly module')
}

function toLeb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...toLeb(value >>> 7)]
}
