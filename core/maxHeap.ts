/** A priority queue: `pop` gives the item that comes before all others. @param isBefore a total order of the items */
export class MaxHeap<T extends object> {
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #items: T[] = []

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  push(item: T): void {
    let at = this.#items.push(item) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#items[above]
      if (!parent || !this.#isBefore(item, parent)) break
      this.#items[at] = parent
      at = above
    }
    this.#items[at] = item
  }

  /** @returns undefined when it is empty */
  pop(): T | undefined {
    const top = this.#items[0]
    const last = this.#items.pop()
    if (last && this.#items.length > 0) this.#sink(last)
    return top
  }

  /** Puts an item in the place of the first one, and lets it sink until it comes before those below it. */
  #sink(item: T): void {
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = this.#items[below]
      const other = this.#items[below + 1]
      if (child && other && this.#isBefore(other, child)) {
        child = other
        below += 1
      }
      if (!child || !this.#isBefore(child, item)) break
      this.#items[at] = child
      at = below
    }
    this.#items[at] = item
  }
}
