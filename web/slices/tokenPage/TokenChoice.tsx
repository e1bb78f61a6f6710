import type { WireToken } from '@chainboard/contract'
import { formatMoney, shortenAddress, toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { tokenPagePath } from '../../lib/urls.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { Seal } from '../../ui/Icon.tsx'

/** Several tokens that one symbol stands for, for the visitor to tell apart by name, seal, size and address. */
export function TokenChoice({ symbol, tokens }: { readonly symbol: string; readonly tokens: readonly WireToken[] }) {
  return (
    <section aria-labelledby="choice" className="mx-auto max-w-160 py-10">
      <h1 id="choice" className="text-20 font-strong">
        {tokens.length} tokens are called <bdi>{toDisplayText(symbol, '?', 16)}</bdi>
      </h1>
      <p className="pt-1 pb-4 text-ink-2">Anyone can use a symbol. Check the address of the one you mean.</p>
      <ul className="border-line border-t">
        {tokens.map((token) => (
          <li key={token.address} className="border-line border-b">
            <Link
              to={tokenPagePath(token.address)}
              className="grid min-h-16 grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 px-2 hover:bg-surface-2"
            >
              <TokenMark token={token} size={36} />
              <span className="min-w-0">
                <span className="flex items-center gap-1 font-strong">
                  <bdi className="truncate">{toTokenText(token).name}</bdi>
                  {token.verified && <Seal label="Verified" size={15} />}
                </span>
                <span className="font-mono text-12 text-ink-2">{shortenAddress(token.address)}</span>
              </span>
              <span className="figures text-right">
                {token.priceStatus === 'unpriced' ? <span className="text-ink-3">No price</span> : formatMoney(token.marketCap)}
                <span className="block text-12 text-ink-2">market cap</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
