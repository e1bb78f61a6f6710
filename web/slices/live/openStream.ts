import { createPriceClient } from '@chainboard/sdk'
import type { OpenStream } from './priceLine.ts'

/** The price API's stream of this site, as anybody has it: without cookies, so that no tab's user is in it. */
export const openStream: OpenStream = ({ addresses, lastEventId, signal, onConnect }) =>
  createPriceClient({
    baseUrl: location.origin,
    retriesMax: 0,
    fetch: (input, init) => {
      onConnect()
      return fetch(input, { ...init, credentials: 'omit', cache: 'no-store' })
    },
  }).streamPrices({ addresses, signal, ...(lastEventId === undefined ? {} : { lastEventId }) })
