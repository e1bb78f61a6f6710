/** The five orders of the token table; the first is the default. */
export const tokenSorts = ['fdmcDesc', 'priceDesc', 'volumeDesc', 'changeDesc', 'nameAsc'] as const

export type TokenSort = (typeof tokenSorts)[number]

/** Rows of the token table on a page, unless the reader asks for another number. */
export const tokenPageSize = 10
