type Entry<T> = { readonly item: T; readonly rank: bigint; readonly turn: number }

/** A priority queue: `pop` gives the item of the highest rank, of equal ranks the one pushed first. */
export class MaxHeap<T> {
  readonly #rankOf: (item: T) => bigint
  readonly #entries: Entry<T>[] = []
  #turns = 0

  constructor(rankOf: (item: T) => bigint) {
    this.#rankOf = rankOf
  }

  push(item: T): void {
    this.#entries.push({ item, rank: this.#rankOf(item), turn: this.#turns })
    this.#turns += 1
    let at = this.#entries.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): T | undefined {
    const top = this.#entries[0]
    const last = this.#entries.pop()
    if (!top || !last) return undefined
    if (this.#entries.length > 0) {
      this.#entries[0] = last
      this.#sink()
    }
    return top.item
  }

  #sink(): void {
    let at = 0
    for (;;) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#entries.length && this.#isBefore(child, first)) first = child
      }
      if (first === at) return
      this.#swap(at, first)
      at = first
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#entries[a], this.#entries[b]]
    if (!x || !y) return false
    return x.rank > y.rank || (x.rank === y.rank && x.turn < y.turn)
  }

  #swap(a: number, b: number): void {
    const kept = this.#entries[a] as Entry<T>
    this.#entries[a] = this.#entries[b] as Entry<T>
    this.#entries[b] = kept
  }
}
