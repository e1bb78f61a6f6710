import type { ReactNode } from 'react'
import { Triangle } from '../../ui/Icon.tsx'
import { TxLink } from '../../ui/TxLink.tsx'
import type { SwapText } from './describeSwap.ts'

const columns = [
  { text: 'Type', look: 'w-24 pl-5 text-left' },
  { text: 'Time', look: 'w-28 text-left' },
  { text: 'Amount', look: 'text-right' },
  { text: 'Value', look: 'w-36 text-right' },
  { text: 'Account', look: 'w-36 text-right' },
  { text: 'Tx', look: 'print:hidden w-16 pr-5 text-right' },
] as const

/** Of a row, and of the bars in its place. */
export const swapRowLook = 'h-11 border-line border-b last:border-b-0'

/** `muted` for swaps that are old. */
export function SwapTable({ muted, children }: { readonly muted?: boolean; readonly children: ReactNode }) {
  return (
    <table className={`figures w-full table-fixed border-collapse ${muted ? 'text-ink-3' : ''}`}>
      <caption className="sr-only">Recent swaps, newest first</caption>
      <thead>
        <tr>
          {columns.map(({ text, look }) => (
            <th
              key={text}
              scope="col"
              className={`sticky top-0 z-1 h-10 bg-surface-1 text-12 font-normal text-ink-3 shadow-[inset_0_-1px_0_var(--line)] ${look}`}
            >
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** `Buy` or `Sell` with its glyph: tokens come in, or go out. */
export function SwapType({ type }: { readonly type: SwapText['type'] }) {
  const buys = type === 'Buy'
  return (
    <span className={`inline-flex items-center gap-1.5 font-strong ${buys ? 'text-up' : 'text-down'}`}>
      <Triangle points={buys ? 'up' : 'down'} />
      {type}
    </span>
  )
}

/** The recipient, leading to the transaction where an explorer is known. */
export function SwapAccount({ swap }: { readonly swap: SwapText }) {
  if (!swap.txUrl) return <span className="font-mono text-13 text-ink-2">{swap.account}</span>
  return (
    <a
      href={swap.txUrl}
      target="_blank"
      rel="noopener noreferrer"
      className="rounded-6 font-mono text-13 text-ink-2 hover:text-ink hover:underline touch:-my-2 touch:inline-block touch:py-2"
    >
      {swap.account}
    </a>
  )
}

/** One swap in the table. */
export function SwapRow({ swap, time }: { readonly swap: SwapText; readonly time: string }) {
  return (
    <tr className={`${swapRowLook} hover:bg-surface-2`}>
      <td className="pl-5 text-left">
        <SwapType type={swap.type} />
      </td>
      <td className="text-left text-ink-2" title={swap.absoluteTime}>
        {time}
      </td>
      <td className="truncate text-right">
        <bdi>{swap.amount}</bdi>
      </td>
      <td className="text-right">{swap.value}</td>
      <td className="text-right">
        <SwapAccount swap={swap} />
      </td>
      <td className="print:hidden pr-5 text-right">
        <TxLink url={swap.txUrl} />
      </td>
    </tr>
  )
}
