import { useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import type { FoundWallet } from './foundWallet.ts'

/** A wallet's own picture, or ours when it has none. Decorative: the name stands beside it. */
export function WalletIcon({ wallet, size }: { readonly wallet: FoundWallet | undefined; readonly size: number }) {
  const [failed, setFailed] = useState<string>()
  const box = { width: size, height: size }
  const icon = wallet?.icon
  if (icon && icon !== failed)
    return (
      <img
        src={icon}
        alt=""
        width={size}
        height={size}
        style={box}
        onError={() => setFailed(icon)}
        className="shrink-0 rounded-6 object-contain"
      />
    )
  return (
    <span style={box} className="inline-flex shrink-0 items-center justify-center rounded-6 bg-surface-3 text-ink-2">
      <Icon name="wallet" size={Math.round(size * 0.65)} />
    </span>
  )
}
