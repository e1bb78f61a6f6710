export * from './createPriceClient.ts'
export type { PriceEvent } from './followPrices.ts'
export * from './priceApiError.ts'
export * from './wire.ts'
