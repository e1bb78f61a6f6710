import type { WireToken } from '@chainboard/contract'
import { Seal } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { BoostMark } from './BoostMark.tsx'
import { nameMark } from './nameFocus.ts'
import { TokenLink } from './TokenLink.tsx'
import { TokenMark } from './TokenMark.tsx'
import { toTokenText } from './tokenText.ts'
import { WarningMark } from './WarningMark.tsx'

type Props = {
  readonly token: WireToken
  readonly openers: { readonly onDetails: (address: string) => void; readonly onIntent: () => void }
}

const nameGap = 'gap-2 desk:gap-3'

/** A token's mark, name and symbol in a row of a table. The name opens the details, and leads to the token's page. */
export function TokenName({ token, openers }: Props) {
  const { name, symbol } = toTokenText(token)
  return (
    <span className={`flex items-center ${nameGap}`}>
      <TokenMark token={token} size={32} />
      <span className="min-h-9 min-w-0">
        <span className="flex items-center gap-1">
          <TokenLink
            token={token}
            onDetails={openers.onDetails}
            title={name}
            {...nameMark}
            onPointerEnter={openers.onIntent}
            onFocus={openers.onIntent}
            className="scroll-mt-30 truncate rounded-6 font-strong text-ink"
          >
            <bdi>{name}</bdi>
          </TokenLink>
          {token.verified && <Seal label="Verified" size={15} />}
          <WarningMark token={token} />
        </span>
        <span className="flex gap-1.5 overflow-hidden text-left text-12">
          <bdi className="min-w-6 truncate text-ink-2">{symbol}</bdi>
          <BoostMark token={token} />
        </span>
      </span>
    </span>
  )
}

/** The name of a token that is still being read. @param props.gap between mark and name */
export function TokenNameSkeleton({ gap = nameGap }: { readonly gap?: string }) {
  return (
    <span className={`flex items-center ${gap}`}>
      <span className="skeleton size-8 shrink-0 rounded-full!" />
      <span className="flex min-w-0 flex-1 flex-col gap-1.5">
        <Skeleton width={112} />
        <Skeleton width={48} height={10} />
      </span>
    </span>
  )
}
