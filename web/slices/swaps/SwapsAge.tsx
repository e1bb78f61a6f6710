import { formatRelativeTime } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { useSwapsReadAt } from './useSwaps.ts'

/** ` · updated 4s ago` behind what names the list of a token's swaps; nothing while there is none. */
export function SwapsAge({ address }: { readonly address: string }) {
  const nowSeconds = useNow()
  const readAtSeconds = useSwapsReadAt(address)
  return readAtSeconds === undefined ? null : <> · updated {formatRelativeTime(readAtSeconds, nowSeconds)}</>
}
