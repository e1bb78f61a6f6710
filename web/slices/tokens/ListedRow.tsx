import type { WireToken } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useLiveToken } from '../../token/liveTokens.ts'
import { None } from '../../token/Money.tsx'
import type { PriceMode } from '../../token/priceMode.ts'
import { StarButton } from '../../token/StarButton.tsx'
import { TokenNameSkeleton } from '../../token/TokenName.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { cardActionsLook } from './cardButtons.tsx'
import { cardVariants } from './cardVariants.tsx'
import { cell, liveRowLook, rowLook } from './rowLooks.ts'
import type { TokenOpeners } from './TokenActions.tsx'
import { openOnRow } from './TokenRow.tsx'
import { tokenColumns } from './tokenColumns.tsx'

const actionsCell = 'print:hidden pr-1 text-right'
const actionsLook =
  'calm inline-flex items-center *:w-7 *:text-ink-3 *:group-hover:text-ink-2 *:hover:text-ink! touch:*:w-9 desk:mouse:*:w-8'
const firstCell = 'pl-3 pr-1.5'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** The columns of a list that the visitor made: the figures that matter every day. */
export const listedColumns = tokenColumns.filter(({ key }) => ['token', 'price', 'change', 'cap'].includes(key))
const figureColumns = listedColumns.filter(({ look }) => look === 'figure')

/** A token of such a list. */
export function ListedRow({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const { symbol } = toTokenText(token)
  const figure = `figures ${cell} text-right ${token.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`
  return (
    <tr onClick={openOnRow(token.address, openers)} className={liveRowLook}>
      {listedColumns.map((column) => (
        <td key={column.key} className={column.look === 'figure' ? figure : firstCell}>
          {column.cell({ token, mode, openers })}
        </td>
      ))}
      <td className={actionsCell}>
        <fieldset
          aria-label={`Actions for ${symbol}`}
          onPointerEnter={openers.onIntent}
          onFocus={openers.onIntent}
          className={actionsLook}
        >
          <StarButton symbol={symbol} starred onStar={() => openers.onStar(token.address)} />
          <IconButton icon="chart" label={`Price chart of ${symbol}`} onClick={() => openers.onChart(token.address)} />
          <IconButton icon="swap" label={`Recent swaps of ${symbol}`} onClick={() => openers.onSwaps(token.address)} />
        </fieldset>
      </td>
    </tr>
  )
}

type GoneProps = { readonly address: string; readonly onStar: (address: string) => void }

/** A token that the site no longer lists: all that is left of it is its address, and the way to take it off. */
export function GoneRow({ address, onStar }: GoneProps) {
  const short = shortenAddress(address)
  return (
    <tr className={rowLook}>
      <td className={firstCell}>
        <span className="flex items-center gap-3">
          <Mark src={undefined} seed={address} text="?" size={32} />
          <GoneText address={address} />
        </span>
      </td>
      {figureColumns.map(({ key }) => (
        <td key={key} className={`${cell} text-right`}>
          <None />
        </td>
      ))}
      <td className={actionsCell}>
        <span className={actionsLook}>
          <StarButton symbol={short} starred onStar={() => onStar(address)} />
          <Room />
          <Room />
        </span>
      </td>
    </tr>
  )
}

/** {@link GoneRow} on a phone. */
export function GoneCard({ address, onStar }: GoneProps) {
  return (
    <li className={cardVariants.phone.look}>
      <Mark src={undefined} seed={address} text="?" size={40} />
      <GoneText address={address} />
      <None />
      <span className={cardActionsLook}>
        <StarButton symbol={shortenAddress(address)} starred onStar={() => onStar(address)} />
      </span>
    </li>
  )
}

function GoneText({ address }: { readonly address: string }): ReactNode {
  return (
    <span className="min-w-0">
      <span title={address} className="block truncate font-mono text-13">
        {shortenAddress(address)}
      </span>
      <span className="block truncate text-12 text-ink-2">No longer listed</span>
    </span>
  )
}

/** Where a button would stand. */
function Room() {
  return <span className="size-8 touch:size-11" />
}

/** A row that is still being read, with the geometry of {@link ListedRow}. */
export function ListedRowSkeleton() {
  return (
    <tr className={rowLook}>
      <td className={firstCell}>
        <TokenNameSkeleton />
      </td>
      {figureColumns.map(({ key }) => (
        <td key={key} className={`${cell} text-right`}>
          <Skeleton width={64} />
        </td>
      ))}
      <td />
    </tr>
  )
}
