/** A priority queue: `pop` gives the item that comes before all others. @param isBefore a total order of the items */
export class MaxHeap<T> {
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #items: T[] = []

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  push(item: T): void {
    this.#items.push(item)
    let at = this.#items.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#comesFirst(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): T | undefined {
    const top = this.#items[0]
    const last = this.#items.pop()
    if (this.#items.length > 0) {
      this.#items[0] = last as T
      this.#sink()
    }
    return top
  }

  #sink(): void {
    let at = 0
    for (;;) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#items.length && this.#comesFirst(child, first)) first = child
      }
      if (first === at) return
      this.#swap(at, first)
      at = first
    }
  }

  #comesFirst(a: number, b: number): boolean {
    return this.#isBefore(this.#items[a] as T, this.#items[b] as T)
  }

  #swap(a: number, b: number): void {
    const kept = this.#items[a] as T
    this.#items[a] = this.#items[b] as T
    this.#items[b] = kept
  }
}
