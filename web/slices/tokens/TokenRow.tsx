import type { WireToken } from '@chainboard/contract'
import { type MouseEvent, memo } from 'react'
import { tokenPath } from '../../lib/urls.ts'
import { useLiveToken } from '../../token/liveTokens.ts'
import { focusName } from '../../token/nameFocus.ts'
import { liveRowLook, rowLook, tightCell } from './rowLooks.ts'
import type { TokenOpeners } from './TokenActions.tsx'
import { alignment, type Shown, type TokenColumn } from './tokenColumns.tsx'

type Props = Required<Shown> & { readonly columns: readonly TokenColumn[] }

/** A token in the table of all tokens. A press beside its buttons opens the details. */
export const TokenRow = memo(function TokenRow({ token: listed, place, mode, openers, columns }: Props) {
  const token = useLiveToken(listed)
  const shown = { token, place, mode, openers }
  return (
    <tr onClick={openOnRow(token.address, openers)} className={liveRowLook}>
      {columns.map(({ key, look, hides = '', cell }) => (
        <td key={key} className={`${look === 'figure' ? figureLook(token) : look} ${hides}`}>
          {cell(shown)}
        </td>
      ))}
    </tr>
  )
})

function figureLook({ priceStatus }: WireToken): string {
  return `figures ${tightCell} text-right max-desk:text-13 in-data-tight:text-13 ${priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`
}

/** The token's name is a link that does the same: the row is only a larger target for the mouse. */
export function openOnRow(address: string, openers: TokenOpeners) {
  return (event: MouseEvent<HTMLElement>) => {
    const onControl = event.target instanceof Element && event.target.closest('button, a, [popover]')
    if (onControl || getSelection()?.isCollapsed === false) return
    // As on a link: beside this page, which stays.
    if (event.ctrlKey || event.metaKey) return void open(tokenPath(address), '_blank', 'noopener')
    // The focus comes back here when the details close.
    focusName(event.currentTarget)
    openers.onDetails(address)
  }
}

/** A row that is still being read, with the geometry of {@link TokenRow}. */
export function TokenRowSkeleton({ columns }: Pick<Props, 'columns'>) {
  return (
    <tr className={rowLook}>
      {columns.map(({ key, align, hides = '', skeleton }) => (
        <td key={key} className={`${tightCell} ${alignment[align]} ${hides}`}>
          {skeleton}
        </td>
      ))}
    </tr>
  )
}
