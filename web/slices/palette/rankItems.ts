/** Something that the palette can lead to or do. */
export type PaletteItem = {
  /** No two have the same. */
  readonly id: string
  readonly group: PaletteGroup
  readonly text: string
  /** Said behind the text in a quiet voice. */
  readonly hint?: string
  /** Where it leads; without an address it does something. */
  readonly url?: string
  readonly run: () => void
}

/** Groups in the order of the list. */
export const paletteGroups = ['Recent', 'Tokens', 'Pools', 'Wallets', 'Transactions', 'Pages', 'Actions'] as const
export type PaletteGroup = (typeof paletteGroups)[number]

/** An item with the places in its text that were searched for. */
export type RankedItem = PaletteItem & { readonly places: readonly number[] }

/**
 * The items whose text has the letters of `search` in their order, the best first: those that begin with it, then those of which a word
 * does, then those that have it whole, then the others. Within the same kind the order stays. Without a search all of them.
 */
export function rankItems(items: readonly PaletteItem[], search: string): readonly RankedItem[] {
  const needle = search.trim().toLowerCase()
  if (needle === '') return items.map((item) => ({ ...item, places: [] }))
  return items
    .flatMap((item) => {
      const found = findPlaces(item.text.toLowerCase(), needle)
      return found ? [{ item, ...found }] : []
    })
    .toSorted((a, b) => a.score - b.score)
    .map(({ item, places }) => ({ ...item, places }))
}

type Found = { readonly places: readonly number[]; readonly score: number }

function findPlaces(text: string, needle: string): Found | undefined {
  const at = text.indexOf(needle)
  if (at !== -1) {
    const atWord = text.search(new RegExp(`(?<=^|[^\\p{L}\\p{N}])${escapePattern(needle)}`, 'u'))
    const from = atWord === -1 ? at : atWord
    return { places: Array.from(needle, (_, i) => from + i), score: from === 0 ? 0 : atWord === -1 ? 2 : 1 }
  }
  const places: number[] = []
  let from = 0
  for (const letter of needle) {
    const place = text.indexOf(letter, from)
    if (place === -1) return undefined
    places.push(place)
    from = place + 1
  }
  return { places, score: 3 }
}

/** Letters that mean something in a pattern, taken at their word. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
