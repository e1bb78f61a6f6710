import type { ReactNode } from 'react'
import { TokenNameSkeleton } from '../../token/TokenName.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Coin, describePosition, type PositionText } from './describePosition.ts'
import { formatBalanceText, formatShare, formatValue } from './formatHolding.ts'
import { PositionMark, PositionName, PositionPrice } from './PositionParts.tsx'
import type { Position } from './valueWallet.ts'

/** What a cell is drawn from. */
type Shown = { readonly position: Position; readonly text: PositionText; readonly wholeE18: bigint }

type Column = {
  readonly head: string
  readonly width: string
  readonly align: 'text-left' | 'text-right'
  /** Of its cells, beside their place. */
  readonly look?: (shown: Shown) => string
  readonly title?: (shown: Shown) => string
  readonly cell: (shown: Shown) => ReactNode
  readonly skeleton: ReactNode
}

/** Fixed widths, so that columns of all wallets stand under each other. The token takes what is left. */
const columns: readonly Column[] = [
  {
    ...{ head: 'Token', width: '', align: 'text-left' },
    cell: ({ position, text }) => (
      <span className="flex items-center gap-3">
        <PositionMark position={position} text={text} size={32} />
        <span className="min-w-0">
          <PositionName text={text} />
          <bdi className="block truncate text-left text-12 text-ink-2">{text.symbol}</bdi>
        </span>
      </span>
    ),
    skeleton: <TokenNameSkeleton gap="gap-3" />,
  },
  {
    ...{ head: 'Balance', width: 'w-36 desk:w-48', align: 'text-right' },
    look: () => 'truncate',
    title: ({ position }) => position.balance,
    cell: ({ position, text }) => formatBalanceText(position.balance, text.decimals),
    skeleton: <Skeleton width={88} />,
  },
  {
    ...{ head: 'Price', width: 'w-28 desk:w-40', align: 'text-right' },
    cell: ({ position }) => <PositionPrice token={position.token} />,
    skeleton: <Skeleton width={64} />,
  },
  {
    ...{ head: 'Value', width: 'w-26 desk:w-40', align: 'text-right' },
    look: ({ position: { usdE18, token } }) =>
      usdE18 === undefined || token?.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink',
    cell: ({ position }) => formatValue(position.usdE18),
    skeleton: <Skeleton width={72} />,
  },
  {
    ...{ head: 'Share', width: 'w-20 desk:w-28', align: 'text-right' },
    look: ({ position }) => (position.usdE18 === undefined ? 'text-ink-3' : 'text-ink-2'),
    cell: ({ position, wholeE18 }) => formatShare(position.usdE18, wholeE18),
    skeleton: <Skeleton width={40} />,
  },
]

const rowLook = 'h-14 border-line border-b last:border-b-0 touch:h-16'
const cellLook = 'px-3'

type Props = {
  readonly caption: string
  readonly positions: readonly Position[]
  readonly coin: Coin
  /** What shares are of. */
  readonly wholeE18: bigint
}

/** Positions as rows: token, balance, price, value, share. */
export function PositionTable({ caption, positions, coin, wholeE18 }: Props) {
  return (
    <table className="figures w-full table-fixed border-collapse">
      <caption className="sr-only">{caption}</caption>
      <PositionHead />
      <tbody>
        {positions.map((position) => (
          <PositionRow key={keyOf(position)} position={position} coin={coin} wholeE18={wholeE18} />
        ))}
      </tbody>
    </table>
  )
}

/** Tells a position from all others of its wallet. */
export function keyOf({ tokenAddress, contract = '' }: Position): string {
  return `${tokenAddress} ${contract}`
}

function PositionHead() {
  return (
    <thead>
      <tr className="h-9 border-line border-b">
        {columns.map(({ head, width, align }) => (
          <th key={head} scope="col" className={`${cellLook} text-12 font-normal text-ink-3 ${width} ${align}`}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps = { readonly position: Position; readonly coin: Coin; readonly wholeE18: bigint }

function PositionRow({ position, coin, wholeE18 }: RowProps) {
  const shown = { position, text: describePosition(position, coin), wholeE18 }
  return (
    <tr className={rowLook}>
      {columns.map(({ head, align, look, title, cell }) => (
        <td key={head} title={title?.(shown)} className={`${cellLook} ${align} ${look?.(shown) ?? ''}`}>
          {cell(shown)}
        </td>
      ))}
    </tr>
  )
}

/** Rows that are still being read, with the geometry of {@link PositionTable}. */
export function PositionTableSkeleton({ rows }: { readonly rows: number }) {
  return (
    <table aria-hidden="true" className="w-full table-fixed border-collapse">
      <PositionHead />
      <tbody>
        {Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
          <tr key={index} className={rowLook}>
            {columns.map(({ head, align, skeleton }) => (
              <td key={head} className={`${cellLook} ${align}`}>
                {skeleton}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
