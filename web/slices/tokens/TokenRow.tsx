import type { WireToken } from '@chainboard/contract'
import { type MouseEvent, memo } from 'react'
import { useLiveToken } from '../../token/liveTokens.ts'
import { focusName } from '../../token/nameFocus.ts'
import { liveRowLook, rowLook, tightCell } from './rowLooks.ts'
import type { TokenOpeners } from './TokenActions.tsx'
import { alignment, type Shown, tokenColumns } from './tokenColumns.tsx'

/** A token in the table of all tokens. A press beside its buttons opens the details. */
export const TokenRow = memo(function TokenRow({ token: listed, place, mode, openers }: Required<Shown>) {
  const token = useLiveToken(listed)
  const shown = { token, place, mode, openers }
  return (
    <tr onClick={openOnRow(token.address, openers)} className={liveRowLook}>
      {tokenColumns.map(({ key, look, hides = '', cell }) => (
        <td key={key} className={`${look === 'figure' ? figureLook(token) : look} ${hides}`}>
          {cell(shown)}
        </td>
      ))}
    </tr>
  )
})

function figureLook({ priceStatus }: WireToken): string {
  return `figures ${tightCell} text-right max-desk:text-13 ${priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`
}

/** The token's name is a link that does the same: the row is only a larger target for the mouse. */
export function openOnRow(address: string, openers: TokenOpeners) {
  return (event: MouseEvent<HTMLElement>) => {
    const onControl = event.target instanceof Element && event.target.closest('button, a, [popover]')
    if (onControl || getSelection()?.isCollapsed === false) return
    // The focus comes back here when the details close.
    focusName(event.currentTarget)
    openers.onDetails(address)
  }
}

/** A row that is still being read, with the geometry of {@link TokenRow}. */
export function TokenRowSkeleton() {
  return (
    <tr className={rowLook}>
      {tokenColumns.map(({ key, align, hides = '', skeleton }) => (
        <td key={key} className={`${tightCell} ${alignment[align]} ${hides}`}>
          {skeleton}
        </td>
      ))}
    </tr>
  )
}
