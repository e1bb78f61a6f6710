import type { WireToken } from '@chainboard/contract'
import type { ReactNode } from 'react'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { focusBesideRow, moveBetweenNames } from '../../token/nameFocus.ts'
import { usePriceMode } from '../../token/priceMode.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { GoneCard, GoneRow, ListedRow, ListedRowSkeleton, listedColumns } from './ListedRow.tsx'
import { listedVariant } from './listedVariant.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import type { TokenColumn } from './tokenColumns.tsx'
import { useListedTokens } from './useListedTokens.ts'

/** The widths are those of the table of all tokens, save that without its volume there is room for every digit of a price. */
const widths: Partial<Record<TokenColumn['key'], string>> = {
  token: 'pl-3 pr-1.5 text-left',
  price: 'px-1.5 text-right w-36 desk:px-3 min-[1160px]:w-40',
  change: 'px-1.5 text-right w-24 desk:px-3 desk:w-30 min-[1160px]:w-34',
  cap: 'px-1.5 text-right w-25 desk:px-3 desk:w-28 min-[1160px]:w-32',
}
const heads = [
  ...listedColumns.map(({ key, head }) => ({ text: head, look: widths[key] })),
  { text: 'Actions', look: 'print:hidden pr-3 text-right w-24 touch:w-31 desk:w-28' },
]

type Props = {
  /** What list it is, for those who do not see it. */
  readonly label: string
  readonly addresses: readonly string[]
  readonly openers: TokenOpeners
}

/** The tokens of a list that the visitor made, in its order: a table, on phones cards. */
export function ListedTokens({ label, addresses, openers: pageOpeners }: Props) {
  const { query, find } = useListedTokens(addresses)
  const { mode } = usePriceMode()
  const phone = useMediaQuery(phoneQuery)
  const { onBoost: _, ...others } = pageOpeners
  const openers: TokenOpeners = {
    ...others,
    onStar(address) {
      focusBesideRow()
      pageOpeners.onStar(address)
    },
  }
  const toRow = (address: string) => {
    const token = find(address)
    if (token === undefined)
      return phone ? <TokenCardSkeleton key={address} variant={listedVariant} /> : <ListedRowSkeleton key={address} />
    const Gone = phone ? GoneCard : GoneRow
    if (token === null) return <Gone key={address} address={address} onStar={openers.onStar} />
    return phone ? (
      <TokenCard key={address} variant={listedVariant} token={token} mode={mode} openers={openers} />
    ) : (
      <ListedRow key={address} token={token} mode={mode} openers={openers} />
    )
  }
  const rows = addresses.map(toRow)
  return (
    <QueryView
      quiet
      query={query}
      isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0 && addresses.length === 0}
      failureText="Failed to load tokens. Please try again later."
      waiting={<Frame label={label}>{rows}</Frame>}
      empty={() => null}
    >
      {() => <Frame label={label}>{rows}</Frame>}
    </QueryView>
  )
}

function Frame({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (useMediaQuery(phoneQuery))
    return (
      <ul aria-label={label} onKeyDown={moveBetweenNames} className="mt-1 border-line border-t">
        {children}
      </ul>
    )
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {heads.map(({ text, look }) => (
            <th
              key={text}
              scope="col"
              className={`h-10 whitespace-nowrap text-12 font-normal text-ink-3 shadow-[inset_0_-1px_0_var(--line)] ${look}`}
            >
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveBetweenNames}>{children}</tbody>
    </table>
  )
}

/** A list that is still being read, with room for `rows`. */
export function ListedTokensSkeleton({ label, rows }: { readonly label: string; readonly rows: number }) {
  const phone = useMediaQuery(phoneQuery)
  return (
    <Frame label={label}>
      {Array.from({ length: rows }, (_, index) => index).map((index) =>
        phone ? <TokenCardSkeleton key={index} variant={listedVariant} /> : <ListedRowSkeleton key={index} />,
      )}
    </Frame>
  )
}
