import { getFrom } from '@chainboard/core'

/** Names the parties that count as one: any text, the same for all of them. */
export type GroupOf = (party: string) => string

/** Two wallets of which one handed the other tokens or money. */
export type Link = readonly [from: string, to: string]

/** Wallets that are linked, directly or through others, as one group. Pure. */
export function joinOrigins(links: Iterable<Link>): GroupOf {
  const parents = new Map<string, string>()
  const find = (origin: string): string => {
    let root = origin
    for (let above = parents.get(root); above !== undefined; above = parents.get(root)) root = above
    // Shorter ways for the next time.
    for (let at = origin; at !== root; ) {
      const above = getFrom(parents, at)
      parents.set(at, root)
      at = above
    }
    return root
  }
  for (const [from, to] of links) {
    const [a, b] = [find(from), find(to)]
    if (a !== b) parents.set(a, b)
  }
  return find
}
