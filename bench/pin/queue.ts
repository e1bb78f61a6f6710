/** Things by the moment they are free again, the earliest first: a binary heap. */
export class FreeQueue {
  readonly #heap: { readonly item: number; readonly atSeconds: number }[] = []

  get size(): number {
    return this.#heap.length
  }

  earliest(): { readonly item: number; readonly atSeconds: number } | undefined {
    return this.#heap[0]
  }

  push(item: number, atSeconds: number): void {
    const heap = this.#heap
    heap.push({ item, atSeconds })
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1
      if (this.#at(parent) <= this.#at(i)) break
      this.#swap(i, parent)
      i = parent
    }
  }

  pop(): { readonly item: number; readonly atSeconds: number } | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last && heap.length > 0) heap[0] = last
    for (let i = 0; ; ) {
      const child = [2 * i + 1, 2 * i + 2].filter((each) => each < heap.length).sort((a, b) => this.#at(a) - this.#at(b))[0]
      if (child === undefined || this.#at(i) <= this.#at(child)) return first
      this.#swap(i, child)
      i = child
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.atSeconds ?? Number.POSITIVE_INFINITY
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#heap[a], this.#heap[b]]
    if (x && y) [this.#heap[a], this.#heap[b]] = [y, x]
  }
}
