import type { WireToken } from '@chainboard/contract'
import { noValue } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { Money } from '../../token/Money.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { formatAge } from './formatAge.ts'
import { Sparkline } from './Sparkline.tsx'
import type { ExtraKey } from './tableLook.ts'

type Props = { readonly column: ExtraKey; readonly token: WireToken }

const changes = {
  m5: (token: WireToken) => token.priceChange5m,
  h1: (token: WireToken) => token.priceChange1h,
  h6: (token: WireToken) => token.priceChange6h,
  d7: (token: WireToken) => token.priceChange7d,
} as const

/** A figure of a token that the specification's columns do not have. */
export default function ExtraCell({ column, token }: Props) {
  const priced = token.priceStatus !== 'unpriced'
  switch (column) {
    case 'spark':
      return <Sparkline token={token} />
    case 'liquidity':
      return <Money amount={token.depthUsd} />
    case 'organic':
      return <Money amount={priced ? token.organicVolume24h : null} />
    case 'age':
      return <Age token={token} />
    case 'confidence':
      return priced ? token.confidence.toFixed(2) : <span className="text-ink-3">{noValue}</span>
    default:
      return (
        <div className="flex justify-end">
          <Delta percent={priced ? changes[column](token) : null} muted={token.priceStatus === 'stale'} />
        </div>
      )
  }
}

function Age({ token: { firstTradeAt } }: { readonly token: WireToken }) {
  const now = useNow()
  if (firstTradeAt === null) return <span className="text-ink-3">{noValue}</span>
  return <span title={new Date(firstTradeAt * 1000).toLocaleString()}>{formatAge(now - firstTradeAt)}</span>
}
