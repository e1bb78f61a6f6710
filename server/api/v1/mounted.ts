import type { Route } from '@chainboard/contract'

/** Where the price API is mounted: hooks and errors of its own hold for every path below. */
export const priceApiRoot = '/api/v1'

/** A route of the contract as the price API registers it, below its root. */
export function mounted<R extends Route>(route: R): Omit<R, 'url'> & { readonly url: string } {
  return { ...route, url: route.url.slice(priceApiRoot.length) }
}
