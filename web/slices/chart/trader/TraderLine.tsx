import type { WireToken } from '@chainboard/contract'
import { formatMoney, formatPrice } from '@chainboard/core'
import { toTokenText } from '../../../token/tokenText.ts'
import { Delta } from '../../../ui/Delta.tsx'
import type { Bar, Candles } from './candles.ts'
import type { TraderLook } from './TraderTools.tsx'

type Props = {
  readonly token: WireToken
  readonly look: TraderLook
  readonly candles: Candles | undefined
  readonly reading: Bar | undefined
  /** Newer figures do not come. */
  readonly isMuted: boolean
}

/** What the crosshair stands on; without one the token's change of the last 24 hours, the same as in every list. */
export function TraderLine({ token, look, candles, reading, isMuted }: Props) {
  return (
    <p className="figures flex h-7 min-w-0 items-center gap-x-3 overflow-hidden whitespace-nowrap text-13 text-ink-2">
      {reading ? (
        <span className="truncate">{describeBar(reading)}</span>
      ) : (
        <>
          {token.priceStatus !== 'unpriced' && (
            <>
              <Delta percent={token.priceChange24h} muted={isMuted} />
              <span>Past 24 hours</span>
            </>
          )}
          {look.other ? (
            <span className="truncate text-accent">
              — <bdi>{toTokenText(look.other).symbol}</bdi>, both in % from the left edge
            </span>
          ) : (
            candles && candles.candles.length > 0 && <span className="truncate text-ink-3">Times in UTC</span>
          )}
        </>
      )}
    </p>
  )
}

function describeBar({ time, open, high, low, close, volumeUsd }: Bar): string {
  const at = new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')
  const prices = `O ${formatPrice(open)} H ${formatPrice(high)} L ${formatPrice(low)} C ${formatPrice(close)}`
  return `${at} · ${prices} · Vol ${formatMoney(volumeUsd)}`
}
