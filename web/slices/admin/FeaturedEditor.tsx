import type { WireToken } from '@chainboard/contract'
import { isSameHex } from '@chainboard/core'
import { useEffect, useState } from 'react'
import { holdReload } from '../../lib/busy.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { move } from './moveToken.ts'
import { type FeaturedPreview, type FeaturedTokens, useFoundTokens } from './useFeaturedTokens.ts'

type Props = {
  readonly featured: FeaturedTokens
  readonly busy: boolean
  readonly error: string | undefined
  readonly preview: FeaturedPreview
  readonly onSave: (addresses: readonly string[]) => void
  readonly onCancel: () => void
}

/** The featured tokens in a new order, with more or fewer of them, and how that looks. While it is open the page does not load itself anew. */
export function FeaturedEditor({ featured, busy, error, preview, onSave, onCancel }: Props) {
  const [tokens, setTokens] = useState(featured.shown)
  useEffect(holdReload, [])
  const isFull = tokens.length >= featured.tokensMax
  return (
    <div className="mt-2 border-line border-t tablet:px-3">
      <div className="grid gap-x-10 gap-y-6 py-4 desk:grid-cols-2">
        <div>
          <ol aria-label="Featured tokens, in order" className="text-13">
            {tokens.map((token, place) => (
              <TokenLine
                key={token.address}
                token={token}
                isFirst={place === 0}
                isLast={place === tokens.length - 1}
                onMove={(step) => setTokens(move(tokens, place, step))}
                onRemove={() => setTokens(tokens.toSpliced(place, 1))}
              />
            ))}
          </ol>
          {tokens.length === 0 && <p className="py-3 text-13 text-ink-2">Nothing is featured.</p>}
        </div>
        {isFull ? (
          <p className="text-13 text-ink-2">At most {featured.tokensMax} tokens can be featured.</p>
        ) : (
          <TokenFinder
            isTaken={(address) => tokens.some((token) => isSameHex(token.address, address))}
            onAdd={(token) => setTokens([...tokens, token])}
          />
        )}
      </div>
      {tokens.length > 0 && (
        <section aria-labelledby="featured-preview" className="border-line border-t pt-4 pb-2">
          <h3 id="featured-preview" className="pb-3 text-13 font-strong text-ink-2">
            Preview
          </h3>
          <div inert>{preview(tokens)}</div>
        </section>
      )}
      <p role="alert" className="min-h-5 pt-1 text-13 text-down wrap-anywhere">
        {error}
      </p>
      <div className="flex justify-end gap-3 pb-4 max-tablet:*:flex-1">
        <button type="button" disabled={busy} onClick={onCancel} className={`${outlinedControl} h-10 min-w-24 touch:h-11`}>
          Cancel
        </button>
        <button
          type="button"
          aria-busy={busy}
          onClick={() => busy || onSave(tokens.map(({ address }) => address))}
          className={`${filledControl} min-w-32 touch:h-11`}
        >
          {busy ? 'Saving…' : 'Save'}
        </button>
      </div>
    </div>
  )
}

type LineProps = {
  readonly token: WireToken
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

const lineControl = `${outlinedControl} h-8 px-2.5! touch:h-11 aria-disabled:text-ink-3 aria-disabled:hover:bg-transparent`

function TokenLine({ token, isFirst, isLast, onMove, onRemove }: LineProps) {
  const { symbol, name } = toTokenText(token)
  return (
    <li className="flex min-h-12 items-center gap-3 border-line border-b py-1.5">
      <TokenMark token={token} size={24} />
      <span className="min-w-0 flex-1 truncate">
        <span className="font-strong">{symbol}</span> <bdi className="text-ink-2">{name}</bdi>
      </span>
      <span className="flex gap-1.5">
        <button type="button" aria-disabled={isFirst} onClick={() => isFirst || onMove(-1)} className={lineControl}>
          <span aria-hidden="true">↑</span>
          <span className="sr-only">Move {symbol} up</span>
        </button>
        <button type="button" aria-disabled={isLast} onClick={() => isLast || onMove(1)} className={lineControl}>
          <span aria-hidden="true">↓</span>
          <span className="sr-only">Move {symbol} down</span>
        </button>
        <button type="button" onClick={onRemove} className={lineControl}>
          Remove<span className="sr-only"> {symbol}</span>
        </button>
      </span>
    </li>
  )
}

type FinderProps = { readonly isTaken: (address: string) => boolean; readonly onAdd: (token: WireToken) => void }

/** Listed tokens by name, symbol or address, to be added at the end. */
function TokenFinder({ isTaken, onAdd }: FinderProps) {
  const [search, setSearch] = useState('')
  const { data, isFetching, isError } = useFoundTokens(search)
  const found = (data ?? []).filter(({ address }) => !isTaken(address))
  const asked = search.trim() !== ''
  return (
    <div className="text-13">
      <label className="block">
        <span className="text-12 text-ink-2">Add a token</span>
        <input
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          placeholder="Name, symbol or address"
          autoComplete="off"
          spellCheck={false}
          className="mt-1 h-9 w-full rounded-8 border border-line-strong bg-surface-1 px-3 text-13 text-ink placeholder:text-ink-2 hover:border-ink-3 touch:h-11 touch:text-16"
        />
      </label>
      <ul aria-label="Found tokens" className="mt-1">
        {asked &&
          found.map((token) => (
            <li key={token.address} className="flex min-h-12 items-center gap-3 border-line border-b py-1.5">
              <TokenMark token={token} size={24} />
              <span className="min-w-0 flex-1 truncate">
                <span className="font-strong">{toTokenText(token).symbol}</span>{' '}
                <bdi className="text-ink-2">{toTokenText(token).name}</bdi>
              </span>
              <button type="button" onClick={() => onAdd(token)} className={lineControl}>
                Add<span className="sr-only"> {toTokenText(token).symbol}</span>
              </button>
            </li>
          ))}
      </ul>
      <p role="status" className="pt-2 text-12 text-ink-2">
        {asked && !isFetching && isError && 'Failed to search the tokens'}
        {asked && !isFetching && !isError && found.length === 0 && 'No more tokens found'}
      </p>
    </div>
  )
}
