import type { WireBatchItem } from '@chainboard/contract'
import { type Address, parseAddress } from '@chainboard/core'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { toPrice } from './toPrice.ts'

/** One result for each address, in the order asked, each address as it was sent. */
export function answerBatch(
  addresses: readonly string[],
  { find, nowSeconds }: { readonly find: (id: Address) => TokenMarket | undefined; readonly nowSeconds: number },
): WireBatchItem[] {
  return addresses.map((address) => {
    const id = parseAddress(address)
    if (!id) return refuse(address, 'INVALID_REQUEST', 'Expected an address: 0x and 40 hexadecimal digits')
    const market = find(id)
    if (!market) return refuse(address, 'TOKEN_NOT_FOUND', describeMissing(address))
    return { address, success: true, data: toPrice(market, nowSeconds) }
  })
}

/** What is said of an address that no listed token has. */
export function describeMissing(address: string): string {
  return `Token ${address} is not on this site's list`
}

function refuse(address: string, code: 'INVALID_REQUEST' | 'TOKEN_NOT_FOUND', message: string): WireBatchItem {
  return { address, success: false, error: { code, message } }
}
