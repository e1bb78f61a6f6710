import type { Hex } from '@chainboard/core'
import { keccak256 } from 'viem'

const bitsOfBloom = 2_048

/** A header's bloom as bytes. */
export type Bloom = Uint8Array

/** @param hex `0x` and two digits a byte */
export function toBloom(hex: Hex): Bloom {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
}

/** Share of the bits that are set: at 25 % every 64th address seems to be in it, at 50 % every eighth. */
export function fillOf(bloom: Bloom): number {
  let set = 0
  for (const byte of bloom) for (let rest = byte; rest > 0; rest &= rest - 1) set += 1
  return set / bitsOfBloom
}

/** The three bits that an address or a topic sets (yellow paper, 4.3.1), counted from the last byte's lowest. */
export function bitsOf(item: Hex): readonly number[] {
  const hash = keccak256(item)
  return [2, 6, 10].map((at) => Number.parseInt(hash.slice(at, at + 4), 16) % bitsOfBloom)
}

/** Whether all of the bits are set. A no is certain, a yes is none. */
export function mayHold(bloom: Bloom, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bloom[bloom.length - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}
