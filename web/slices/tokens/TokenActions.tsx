import type { WireToken } from '@chainboard/core'
import { copyText } from '../../lib/copyText.ts'
import { notify } from '../../lib/notice.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { toTokenText } from './tokenText.ts'

/** What a visitor can open for a token; the page decides how. */
export type TokenOpeners = {
  readonly onChart: (address: string) => void
  readonly onSwaps: (address: string) => void
  /** The visitor is about to open something. */
  readonly onIntent: () => void
}

export async function copyAddress(address: string): Promise<void> {
  notify((await copyText(address)) ? 'Address copied to clipboard' : `The browser did not allow copying ${address}`)
}

export function TokenActions({ token, openers }: { readonly token: WireToken; readonly openers: TokenOpeners }) {
  const { symbol } = toTokenText(token)
  const { onChart, onSwaps, onIntent } = openers
  return (
    <fieldset
      aria-label={`Actions for ${symbol}`}
      className="inline-flex items-center text-ink-3 *:text-ink-3 *:group-hover:text-ink-2 *:hover:text-ink! touch:*:w-9"
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <IconButton icon="copy" label={`Copy address of ${symbol}`} onClick={() => void copyAddress(token.address)} />
      <IconButton icon="chart" label={`Price chart of ${symbol}`} onClick={() => onChart(token.address)} />
      <IconButton icon="swap" label={`Recent swaps of ${symbol}`} onClick={() => onSwaps(token.address)} />
    </fieldset>
  )
}
