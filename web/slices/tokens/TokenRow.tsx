import { formatMoney, noValue, type WireToken } from '@chainboard/core'
import { type MouseEvent, memo } from 'react'
import { Delta } from '../../ui/Delta.tsx'
import { Seal } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { BoostMark } from './BoostMark.tsx'
import { LockMark } from './LockMark.tsx'
import { useLiveToken } from './liveTokens.ts'
import { focusName, nameMark } from './nameFocus.ts'
import { capLook, placeLook, volumeLook } from './narrowColumns.ts'
import type { PriceMode } from './priceMode.ts'
import { TokenActions, type TokenOpeners } from './TokenActions.tsx'
import { TokenMark } from './TokenMark.tsx'
import { TokenPrice } from './TokenPrice.tsx'
import { toTokenText } from './tokenText.ts'
import { WarningMark } from './WarningMark.tsx'

export const rowLook = 'h-14 border-line border-b touch:h-16'
export const cell = 'px-1.5 desk:px-3'
/** On a tablet all eight columns stand side by side: every pixel of them is the name's. */
export const tightCell = 'px-1.5 min-[744px]:px-1 first:pl-1.5 max-[744px]:nth-2:pl-3 desk:px-3'

export const liveRowLook = `group ${rowLook} cursor-pointer transition-colors duration-120 hover:bg-surface-1`

type Props = { readonly token: WireToken; readonly place: number; readonly mode: PriceMode; readonly openers: TokenOpeners }

export const TokenRow = memo(function TokenRow({ token: listed, place, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const unpriced = token.priceStatus === 'unpriced'
  const figure = `figures ${tightCell} text-right max-desk:text-13 ${token.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`
  return (
    <tr onClick={openOnRow(token.address, openers)} className={liveRowLook}>
      <td className={`figures ${tightCell} text-left text-ink-3 max-desk:text-13 ${placeLook}`}>{place}</td>
      <td className={tightCell}>
        <TokenName token={token} openers={openers} />
      </td>
      <td className={figure}>
        <TokenPrice token={token} mode={mode} />
      </td>
      <td className={figure}>
        <div className="flex justify-end">
          <Delta percent={unpriced ? null : token.priceChange24h} muted={token.priceStatus === 'stale'} />
        </div>
      </td>
      <td className={`${figure} ${volumeLook}`}>
        <Money amount={unpriced ? null : token.volume24h} />
      </td>
      <td className={`${figure} ${capLook}`}>
        <Money amount={unpriced ? null : token.fdmc} />
      </td>
      <td className={tightCell}>
        <LockMark token={token} />
      </td>
      <td className="print:hidden pr-1 text-right">
        <TokenActions token={token} openers={openers} />
      </td>
    </tr>
  )
})

/** The token's name is a button that does the same: the row is only a larger target for the mouse. */
export function openOnRow(address: string, openers: TokenOpeners) {
  return (event: MouseEvent<HTMLElement>) => {
    const onControl = event.target instanceof Element && event.target.closest('button, a, [popover]')
    if (onControl || getSelection()?.isCollapsed === false) return
    // The focus comes back here when the details close.
    focusName(event.currentTarget)
    openers.onDetails(address)
  }
}

function Money({ amount }: { readonly amount: number | null | undefined }) {
  const text = formatMoney(amount)
  // One element for both: the next token's is changed instead of made anew.
  return <span className={text === noValue ? 'text-ink-3' : ''}>{text}</span>
}

export function None() {
  return <span className="text-ink-3">{noValue}</span>
}

export function TokenName({ token, openers }: { readonly token: WireToken; readonly openers: TokenOpeners }) {
  const { name, symbol } = toTokenText(token)
  return (
    <span className="flex items-center gap-2 desk:gap-3">
      <TokenMark token={token} size={32} />
      <span className="min-w-0">
        <span className="flex items-center gap-1">
          <button
            type="button"
            title={name}
            {...nameMark}
            onClick={() => openers.onDetails(token.address)}
            onPointerEnter={openers.onIntent}
            onFocus={openers.onIntent}
            className="scroll-mt-30 truncate rounded-6 font-strong text-ink"
          >
            <bdi>{name}</bdi>
          </button>
          {token.verified && <Seal label="Verified" size={15} />}
          <WarningMark token={token} />
        </span>
        <span className="flex gap-1.5 overflow-hidden text-left text-12">
          <bdi className="min-w-6 truncate text-ink-2">{symbol}</bdi>
          <BoostMark token={token} />
        </span>
      </span>
    </span>
  )
}

/** A row that is still being read, with the geometry of {@link TokenRow}. */
export function TokenRowSkeleton() {
  return (
    <tr className={rowLook}>
      <td className={`${tightCell} ${placeLook}`}>
        <Skeleton width={14} />
      </td>
      <td className={tightCell}>
        <TokenNameSkeleton />
      </td>
      {[72, 64, 64, 72].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
        <td key={index} className={`${tightCell} text-right ${[volumeLook, capLook][index - 2] ?? ''}`}>
          <Skeleton width={width} />
        </td>
      ))}
      <td className={`${tightCell} text-center`}>
        <Skeleton width={16} />
      </td>
      <td />
    </tr>
  )
}

/** The name of a token that is still being read. */
export function TokenNameSkeleton() {
  return (
    <span className="flex items-center gap-2 desk:gap-3">
      <span className="skeleton size-8 shrink-0 rounded-full!" />
      <span className="flex min-w-0 flex-1 flex-col gap-1.5">
        <Skeleton width={112} />
        <Skeleton width={48} height={10} />
      </span>
    </span>
  )
}
