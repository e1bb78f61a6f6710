import type { Price, Ready, Retracted } from './wire.ts'

/** What a stream tells. `id` names the place in the stream, to go on from there another time. */
export type PriceEvent = { readonly id: string | undefined } & (
  | { readonly kind: 'ready'; readonly data: Ready }
  | { readonly kind: 'price'; readonly data: Price }
  | { readonly kind: 'retracted'; readonly data: Retracted }
)
