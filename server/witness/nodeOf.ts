/** The node whose turn it is: each in the order given, then the first again. @throws RangeError when there is none */
export function nodeOf<N>(nodes: readonly N[], turn: number): N {
  const node = nodes[turn % nodes.length]
  if (node === undefined) throw new RangeError('There are no nodes to ask')
  return node
}
