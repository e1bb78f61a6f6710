/** A whole number of any size, as decimal text. */
export type Exact = string
