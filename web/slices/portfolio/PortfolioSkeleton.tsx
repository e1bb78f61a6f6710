import { Skeleton } from '../../ui/Skeleton.tsx'
import { PortfolioHead } from './PortfolioHead.tsx'
import { ValueSummary } from './ValueSummary.tsx'
import { WalletBlockSkeleton } from './WalletBlock.tsx'

/** The portfolio before it is known whose it is, with the geometry of a user with one wallet. */
export function PortfolioSkeleton() {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        Loading your portfolio
      </p>
      <PortfolioHead walletCount={0} onRefresh={async () => true} onExport={undefined} />
      <ValueSummary totals={undefined} gaps="" />
      <div aria-hidden="true" className="pt-8">
        <div className="flex h-9 items-center">
          <Skeleton width={72} height={16} />
        </div>
        <div className="mt-1">
          <div className="skeleton h-10 max-w-140 rounded-8! touch:h-11" />
          <div className="mt-2 flex h-5 items-center">
            <Skeleton width={280} height={12} />
          </div>
        </div>
        <div className="mt-3">
          <div className="skeleton h-12 rounded-8! tablet:max-w-88 touch:h-14" />
        </div>
      </div>
      <div aria-hidden="true">
        <WalletBlockSkeleton />
      </div>
    </div>
  )
}
