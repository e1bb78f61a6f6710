export * from './createPriceClient.ts'
export * from './priceApiError.ts'
export * from './priceEvent.ts'
export * from './wire.ts'
