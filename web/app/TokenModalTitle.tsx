import type { WireToken } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { SwapsAge } from '../slices/swaps/SwapsAge.tsx'
import { toTokenText } from '../token/tokenText.ts'
import { Seal } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { ModalKind } from './homeSearch.ts'

/** What stands after the token's name. */
const texts: Readonly<Record<ModalKind, string>> = {
  token: '',
  chart: 'Price Chart',
  swaps: 'Recent Swaps',
  boost: 'Boost Token',
}

type TitleProps = { readonly token: WireToken | undefined; readonly waiting: boolean; readonly kind: ModalKind }

/** `Basalt Price Chart`; of the details the name alone, with the seal of a verified token; a boost is named before whom it is for. */
export function TokenModalTitle({ token, waiting, kind }: TitleProps) {
  const text = texts[kind]
  if (waiting)
    return (
      <>
        <Skeleton width={168} height={16} />
        <span className="sr-only">{text || 'Token'}</span>
      </>
    )
  if (!token || kind === 'boost') return text || 'Token'
  const { name } = toTokenText(token)
  // A long name is cut, what the modal is about is not.
  return (
    <span className="flex items-center">
      <bdi title={name} className="truncate">
        {name}
      </bdi>
      {text ? (
        <span className="shrink-0 whitespace-pre"> {text}</span>
      ) : (
        token.verified && (
          <span className="ml-0.5 flex items-center whitespace-pre">
            {' '}
            <Seal label="Verified" />
          </span>
        )
      )}
    </span>
  )
}

/** The token's symbol, and what else is worth knowing about this view of it. */
export function TokenModalSubtitle({ token, kind }: { readonly token: WireToken; readonly kind: ModalKind }) {
  const { name, symbol } = toTokenText(token)
  const category = toDisplayText(token.category, '', 32)
  if (kind === 'boost')
    return (
      <>
        <bdi>{name}</bdi> · <bdi>{symbol}</bdi>
      </>
    )
  return (
    <>
      <bdi>{symbol}</bdi>
      {kind === 'swaps' ? <SwapsAge address={token.address} /> : category && ` · ${category}`}
    </>
  )
}
