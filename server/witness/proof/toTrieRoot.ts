import type { Hex } from '@chainboard/core'
import { keccak256, numberToHex, toRlp } from 'viem'

/** A value and what of its key is left to tell, a nibble each. */
type Item = { readonly path: readonly number[]; readonly value: Hex }
/** A node, or what stands for it in the one above: itself while it is short, its hash else. */
type Node = readonly (Hex | Node)[]

const hashBytes = 32

/**
 * The root of the Merkle-Patricia trie of a list (yellow paper, appendix D): keys are the RLP of the places. No such key begins with
 * another one, so no branch has a value.
 * @example toTrieRoot([]) // 0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421
 */
export function toTrieRoot(values: readonly Hex[]): Hex {
  if (values.length === 0) return keccak256(toRlp('0x'))
  const toKey = (place: number) => toRlp(place === 0 ? '0x' : numberToHex(place))
  return keccak256(toRlp(toNode(values.map((value, place) => ({ path: toNibbles(toKey(place)), value })))))
}

function toNode(items: readonly Item[]): Node {
  const [first] = items
  if (!first) throw new RangeError('A trie of nothing has no node')
  if (items.length === 1) return [toCompact(first.path, true), first.value]
  const shared = first.path.findIndex((nibble, i) => items.some(({ path }) => path[i] !== nibble))
  if (shared > 0) return [toCompact(first.path.slice(0, shared), false), toReference(toNode(after(items, shared)))]
  const branches = Map.groupBy(items, ({ path }) => path[0])
  return [
    ...Array.from({ length: 16 }, (_, nibble): Hex | Node => {
      const below = branches.get(nibble)
      return below ? toReference(toNode(after(below, 1))) : '0x'
    }),
    '0x',
  ]
}

function after(items: readonly Item[], nibbles: number): Item[] {
  return items.map(({ path, value }) => ({ path: path.slice(nibbles), value }))
}

function toReference(node: Node): Hex | Node {
  const rlp = toRlp(node)
  return (rlp.length - 2) / 2 < hashBytes ? node : keccak256(rlp)
}

/** A path with its end and its parity in front (appendix C). */
function toCompact(path: readonly number[], isEnd: boolean): Hex {
  const flag = isEnd ? 2 : 0
  const nibbles = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path]
  return `0x${nibbles.map((nibble) => nibble.toString(16)).join('')}`
}

function toNibbles(key: Hex): number[] {
  return [...key.slice(2)].map((digit) => Number.parseInt(digit, 16))
}
