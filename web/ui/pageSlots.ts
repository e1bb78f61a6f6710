/** What stands in a pager: page numbers and gaps. */
export type PageSlot = number | 'gap'

const slotsMax = 7

/**
 * First, last and the neighbours of `page`; always the same number of slots for the same `pages`, so that buttons stay under the pointer.
 * `(5, 9)` -> `1 gap 4 5 6 gap 9`
 */
export function toPageSlots(page: number, pages: number): PageSlot[] {
  if (pages <= slotsMax) return Array.from({ length: pages }, (_, index) => index + 1)
  if (page <= 4) return [1, 2, 3, 4, 5, 'gap', pages]
  if (page >= pages - 3) return [1, 'gap', pages - 4, pages - 3, pages - 2, pages - 1, pages]
  return [1, 'gap', page - 1, page, page + 1, 'gap', pages]
}
