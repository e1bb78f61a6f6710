/**
 * Finds the block at which a pool's contract began to differ from the index, by the states of earlier blocks: backwards in
 * steps that double, then in halves. Nodes keep the state of some 128 blocks, archives that of all.
 * @param span the first block that may be wrong, and one at which they differ
 * @param differsAt whether they differ after that block; undefined when no node has its state
 * @returns a block after which they differ and before which they do not; undefined when its state is gone
 */
export async function narrowHole(
  { first, bad }: { readonly first: number; readonly bad: number },
  differsAt: (block: number) => Promise<boolean | undefined>,
): Promise<number | undefined> {
  let [good, wrong] = [bad, bad]
  for (let step = 1; good === wrong && wrong >= first; step *= 2) {
    const block = Math.max(first - 1, bad - step)
    // Before the first one nothing is there to differ.
    const differs = block < first ? false : await differsAt(block)
    if (differs === undefined) return undefined
    if (differs) good = wrong = block
    else good = block
  }
  while (wrong - good > 1) {
    const middle = Math.floor((good + wrong) / 2)
    const differs = await differsAt(middle)
    if (differs === undefined) return undefined
    if (differs) wrong = middle
    else good = middle
  }
  return wrong
}
