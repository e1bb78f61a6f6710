import { parseAddress, shortenAddress } from '@chainboard/core'
import { Link } from 'wouter'
import { poolPath, walletPath } from '../../lib/marketPaths.ts'
import { tokenPagePath } from '../../lib/urls.ts'
import { toTokenText } from '../../token/tokenText.ts'
import { useToken } from './useToken.ts'

const linkLook = 'rounded-6 py-1 font-strong text-accent underline underline-offset-4'

/** Where an address leads that was searched for: the table finds names and symbols only. */
export function AddressNote({ search }: { readonly search: string }) {
  const address = parseAddress(search)
  return address ? <Places address={address} /> : null
}

function Places({ address }: { readonly address: string }) {
  const { data: token } = useToken(address)
  // Not known yet, or the server did not say: it may be a token.
  if (token === undefined) return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 pt-2 text-13 text-ink-2">
      <span className="font-mono text-12">{shortenAddress(address)}</span>
      {token ? (
        <Link to={tokenPagePath(token.address)} className={linkLook}>
          Open the page of <bdi>{toTokenText(token).symbol}</bdi>
        </Link>
      ) : (
        <>
          <Link to={walletPath(address)} className={linkLook}>
            Show the trades of this wallet
          </Link>
          <Link to={poolPath(address)} className={linkLook}>
            Open this pool
          </Link>
        </>
      )}
    </p>
  )
}
