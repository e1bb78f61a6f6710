import type { WireToken } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { fetchJson } from '../../../lib/fetchJson.ts'
import { tokenPageUrl } from '../../../lib/urls.ts'
import { toTokenText } from '../../../token/tokenText.ts'
import { quietControl } from '../../../ui/buttonStyles.ts'

const shownMax = 6

type Props = {
  /** The token of the chart, which cannot be compared with itself. */
  readonly than: string
  readonly chosen: WireToken | undefined
  readonly onChoose: (token: WireToken | undefined) => void
}

/** Finds a token to compare with. */
export function ComparePicker({ than, chosen, onChoose }: Props) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, isError } = useQuery({
    queryKey: ['tokens', 'compare', search],
    queryFn: ({ signal }) =>
      fetchJson<readonly WireToken[]>(
        tokenPageUrl({ search, sort: 'fdmcDesc', page: 1, pageSize: shownMax + 1, filter: {} }),
        signal,
      ),
  })
  const found = data?.filter(({ address }) => address.toLowerCase() !== than.toLowerCase()).slice(0, shownMax)
  return (
    <>
      <input
        type="search"
        aria-label="Compare with"
        placeholder="Name or symbol"
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-9 w-full rounded-8 border border-line-strong bg-surface-2 px-3 text-14 touch:h-11"
      />
      <ul className="pt-1">
        {found?.map((token) => {
          const { name, symbol } = toTokenText(token)
          return (
            <li key={token.address}>
              <button
                type="button"
                onClick={() => onChoose(token)}
                className={`${quietControl} h-9 w-full justify-start! gap-2 px-2 touch:h-11`}
              >
                <bdi className="font-strong text-ink">{symbol}</bdi>
                <bdi className="min-w-0 truncate">{name}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
      {isError && <p className="px-2 py-1 text-warn">Failed to load tokens.</p>}
      {found?.length === 0 && <p className="px-2 py-1 text-ink-2">No tokens found.</p>}
      {chosen && (
        <button
          type="button"
          onClick={() => onChoose(undefined)}
          className={`${quietControl} mt-1 h-9 w-full font-strong touch:h-11`}
        >
          Stop comparing
        </button>
      )}
    </>
  )
}
