import type { WireConfig, WireToken } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { copyAddress } from '../../lib/copyAddress.ts'
import { fillTemplate, homePath } from '../../lib/urls.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Icon, Seal } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

type Props = {
  readonly token: WireToken
  readonly config: WireConfig | undefined
  /** What a visitor can do with the token. */
  readonly actions: ReactNode
}

/** Which token the page is about. */
export function TokenHead({ token, config, actions }: Props) {
  const { name, symbol } = toTokenText(token)
  const category = toDisplayText(token.category, '', 32)
  const url = config?.explorer ? fillTemplate(config.explorer.addressUrl, token.address) : undefined
  return (
    <header className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-4">
      <div className="flex min-w-0 items-center gap-3 max-tablet:pr-13">
        <BackLink to={homePath} label="All tokens" />
        <TokenMark token={token} size={40} />
        <div className="min-w-0">
          <h1 className="flex items-center gap-1.5 text-20 font-strong tracking-tight">
            <bdi title={name} className="truncate">
              {name}
            </bdi>
            {token.verified && <Seal label="Verified" />}
          </h1>
          <p className="flex flex-wrap items-center gap-x-2 text-13 text-ink-2">
            <bdi>{symbol}</bdi>
            {category !== '' && <bdi className="max-w-40 truncate">{category}</bdi>}
            <span className="flex items-center">
              <span title={token.address} className="font-mono text-12">
                {shortenAddress(token.address)}
              </span>
              <IconButton
                icon="copy"
                iconSize={14}
                label={`Copy address of ${symbol}`}
                onClick={() => void copyAddress(token.address)}
                className="size-7!"
              />
              {url && (
                <a
                  href={url}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`${symbol} in the explorer`}
                  title="View in the explorer"
                  className="flex size-7 items-center justify-center rounded-8 text-ink-2 hover:bg-surface-2 hover:text-ink"
                >
                  <Icon name="out" size={14} />
                </a>
              )}
            </span>
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-tablet:w-full">{actions}</div>
    </header>
  )
}
