import type { WireToken } from '@chainboard/contract'
import { safeImageUrl } from '../lib/safeUrl.ts'
import { Mark } from '../ui/Mark.tsx'
import { toTokenText } from './tokenText.ts'

/** A token's logo, or its initials on the hue of its address. */
export function TokenMark({ token, size }: { readonly token: WireToken; readonly size: number }) {
  const { name, symbol } = toTokenText(token)
  // A symbol without a visible letter has become the address, whose first letters are everybody's.
  const initials = symbol.startsWith('0x') ? name : symbol
  return <Mark src={safeImageUrl(token.logo, location.origin)} seed={token.address} text={initials} size={size} />
}
