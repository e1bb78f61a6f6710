/** The five orders of the specification; the first is the default. */
const namedSorts = ['fdmcDesc', 'priceDesc', 'volumeDesc', 'changeDesc', 'nameAsc'] as const

/** The orders of the token table: those five, their other directions, and both directions of every other figure. */
export const tokenSorts = [
  ...namedSorts,
  ...(['fdmcAsc', 'priceAsc', 'volumeAsc', 'changeAsc', 'nameDesc'] as const),
  ...(['change5mDesc', 'change5mAsc', 'change1hDesc', 'change1hAsc', 'change6hDesc', 'change6hAsc'] as const),
  ...(['change7dDesc', 'change7dAsc', 'liquidityDesc', 'liquidityAsc', 'ageDesc', 'ageAsc'] as const),
  ...(['organicDesc', 'organicAsc', 'confidenceDesc', 'confidenceAsc'] as const),
] as const

export type TokenSort = (typeof tokenSorts)[number]

/** Rows of the token table on a page, unless the reader asks for another number. */
export const tokenPageSize = 10

/** Which tokens the table shows. What is absent does not restrict. */
export type TokenFilter = {
  /** As the list writes it. */
  readonly category?: string | undefined
  readonly verified?: boolean | undefined
  /** US dollars that trade within 2 % of the price, at the least. A token of which that is not known is left out. */
  readonly liquidityMinUsd?: number | undefined
  /** Days since its first trade, at the most. A token of which that is not known is left out. */
  readonly newDays?: number | undefined
  /** By its change in 24 hours. */
  readonly move?: TokenMove | undefined
  /** With warnings, or without. */
  readonly warned?: boolean | undefined
}

/** Tokens whose price rose in 24 hours, or fell. */
export const tokenMoves = ['gainers', 'losers'] as const
export type TokenMove = (typeof tokenMoves)[number]

/** Days that a token counts as new, at the most, in a filter. */
export const newDaysMax = 365
