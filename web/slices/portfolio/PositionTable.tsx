import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Coin, describePosition } from './describePosition.ts'
import { formatBalanceText, formatShare, formatValue } from './formatHolding.ts'
import { PositionMark, PositionName } from './PositionName.tsx'
import { PositionPrice } from './PositionPrice.tsx'
import type { Position } from './valueWallet.ts'

/** Fixed widths, so that columns of all wallets stand under each other. The token takes what is left. */
const columns = [
  { text: 'Token', look: 'text-left' },
  { text: 'Balance', look: 'w-36 text-right desk:w-48' },
  { text: 'Price', look: 'w-28 text-right desk:w-40' },
  { text: 'Value', look: 'w-26 text-right desk:w-40' },
  { text: 'Share', look: 'w-20 text-right desk:w-28' },
] as const

const rowLook = 'h-14 border-line border-b last:border-b-0 touch:h-16'
const cell = 'px-3'

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

export function keyOf({ tokenAddress, contract = '' }: Position): string {
  return `${tokenAddress} ${contract}`
}

function PositionHead() {
  return (
    <thead>
      <tr className="h-9 border-line border-b">
        {columns.map(({ text, look }) => (
          <th key={text} scope="col" className={`${cell} text-12 font-normal text-ink-3 ${look}`}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps = { readonly position: Position; readonly coin: Coin; readonly wholeE18: bigint }

function PositionRow({ position, coin, wholeE18 }: RowProps) {
  const text = describePosition(position, coin)
  const { balance, usdE18, token } = position
  const shareLook = usdE18 === undefined ? 'text-ink-3' : 'text-ink-2'
  const valueLook = usdE18 === undefined || token?.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'
  return (
    <tr className={rowLook}>
      <td className={cell}>
        <span className="flex items-center gap-3">
          <PositionMark position={position} text={text} size={32} />
          <span className="min-w-0">
            <PositionName text={text} />
            <bdi className="block truncate text-left text-12 text-ink-2">{text.symbol}</bdi>
          </span>
        </span>
      </td>
      <td title={balance} className={`${cell} truncate text-right`}>
        {formatBalanceText(balance, text.decimals)}
      </td>
      <td className={`${cell} text-right`}>
        <PositionPrice token={token} />
      </td>
      <td className={`${cell} text-right ${valueLook}`}>{formatValue(usdE18)}</td>
      <td className={`${cell} text-right ${shareLook}`}>{formatShare(usdE18, wholeE18)}</td>
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
            <td className={cell}>
              <span className="flex items-center gap-3">
                <span className="skeleton size-8 shrink-0 rounded-full!" />
                <span className="flex min-w-0 flex-1 flex-col gap-1.5">
                  <Skeleton width={112} />
                  <Skeleton width={48} height={10} />
                </span>
              </span>
            </td>
            {[88, 64, 72, 40].map((width) => (
              <td key={width} className={`${cell} text-right`}>
                <Skeleton width={width} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
