import type { TokenSort } from '@chainboard/core'

/** The orders of the table in words, in the order of the menu. */
export const sortOptions: readonly { readonly value: TokenSort; readonly text: string }[] = [
  { value: 'fdmcDesc', text: 'Market cap' },
  { value: 'priceDesc', text: 'Price' },
  { value: 'volumeDesc', text: 'Volume 24h' },
  { value: 'changeDesc', text: 'Change 24h' },
  { value: 'nameAsc', text: 'Name' },
]
