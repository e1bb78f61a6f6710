import type { WireToken } from '@chainboard/contract'
import { wholeCard } from '../ui/cardStyles.ts'
import { Seal } from '../ui/Icon.tsx'
import { BoostMark } from './BoostMark.tsx'
import { nameMark } from './nameFocus.ts'
import { TokenLink } from './TokenLink.tsx'
import { toTokenText } from './tokenText.ts'
import { WarningMark } from './WarningMark.tsx'

type Props = { readonly token: WireToken; readonly onDetails: (address: string) => void }

/** Who a card on a phone is about; a tap anywhere on the card that meets no other button opens the details. */
export function CardName({ token, onDetails }: Props) {
  const { name, symbol } = toTokenText(token)
  return (
    <TokenLink
      token={token}
      onDetails={onDetails}
      {...nameMark}
      className={`${wholeCard} min-h-11 min-w-0 scroll-mt-18 rounded-6 text-left`}
    >
      <span className="flex items-center gap-1 text-16 font-strong">
        <bdi className="truncate">{symbol}</bdi>
        {token.verified && <Seal label="Verified" size={15} />}
        <WarningMark token={token} />
      </span>
      <span className="flex gap-1.5 overflow-hidden text-left text-13">
        <bdi className="min-w-6 truncate text-ink-2">{name}</bdi>
        <BoostMark token={token} />
      </span>
    </TokenLink>
  )
}
