import type { WireBoost, WireConfig, WireToken } from '@chainboard/contract'
import { formatAmount, formatDate, isSameHex, shortenAddress } from '@chainboard/core'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { boostsUrl } from '../../lib/marketUrls.ts'
import { fillTemplate } from '../../lib/urls.ts'
import { describeBoost } from '../../token/BoostMark.tsx'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

type Props = { readonly token: WireToken; readonly config: WireConfig | undefined }

const shownMax = 50

/** What was paid to have a token shown among the boosted ones. */
export function BoostPayments({ token, config }: Props) {
  const query = useQuery({
    queryKey: ['boosts', token.address.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<readonly WireBoost[]>(boostsUrl(token.address, shownMax), signal),
  })
  const left = describeBoost(token)
  return (
    <section aria-label="Boosts" className="flex flex-col">
      <p className="py-3 text-13 text-ink-2">
        {left && <span className="text-boost">Boosted · Paid · {left}. </span>}
        Boosts don't affect price, trending, search or sorting.
      </p>
      <QueryView
        query={query}
        isEmpty={(boosts) => boosts.length === 0}
        failureText="Failed to load boosts"
        waiting={<Spinner label="Loading the boosts" />}
        empty={() => <EmptyNote title="Never boosted">Nobody has paid for a boost of this token.</EmptyNote>}
      >
        {(boosts) => (
          <table className="figures w-full border-collapse">
            <caption className="sr-only">Payments for boosts, newest first</caption>
            <thead>
              <tr className="h-10 text-12 text-ink-3 *:border-line *:border-b *:px-2 *:font-normal">
                <th scope="col" className="text-left">
                  Paid on
                </th>
                <th scope="col" className="text-left">
                  Boosted until
                </th>
                <th scope="col" className="text-right">
                  Amount
                </th>
                <th scope="col" className="text-right">
                  Payer
                </th>
              </tr>
            </thead>
            <tbody>
              {boosts.map((boost) => (
                <BoostRow key={`${boost.transaction.id} ${boost.expiresAt}`} boost={boost} config={config} />
              ))}
            </tbody>
          </table>
        )}
      </QueryView>
    </section>
  )
}

function BoostRow({ boost, config }: { readonly boost: WireBoost; readonly config: WireConfig | undefined }) {
  const url = config?.explorer ? fillTemplate(config.explorer.txUrl, boost.transaction.id) : undefined
  const isUsdc = isSameHex(boost.paymentToken, config?.usdc.address)
  const payer = shortenAddress(boost.payer)
  return (
    <tr className="h-11 *:border-line *:border-b *:px-2">
      <td>{formatDate(boost.timestamp)}</td>
      <td>{formatDate(boost.expiresAt)}</td>
      <td className="text-right">
        {formatAmount(Number(boost.amount))} {isUsdc ? 'USDC' : shortenAddress(boost.paymentToken)}
      </td>
      <td className="text-right font-mono text-13 text-ink-2">
        {url ? (
          <a href={url} target="_blank" rel="noopener noreferrer" className="rounded-6 hover:text-ink hover:underline">
            {payer}
          </a>
        ) : (
          payer
        )}
      </td>
    </tr>
  )
}
