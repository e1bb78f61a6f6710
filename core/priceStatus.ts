/** Whether a price can be relied on: `stale` keeps the last good value, `unpriced` is 0 on the wire and N/A on screen. */
export const priceStatuses = ['priced', 'stale', 'unpriced'] as const

export type PriceStatus = (typeof priceStatuses)[number]
