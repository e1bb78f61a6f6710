import type { WireConfig } from '@chainboard/contract'
import { toCsv } from '@chainboard/core'
import { type ReactNode, useState } from 'react'
import { saveTextFile } from '../../lib/saveTextFile.ts'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { describeGaps } from './describeGaps.ts'
import { PortfolioHead } from './PortfolioHead.tsx'
import { toPortfolioRows } from './portfolioRows.ts'
import { usePortfolio, type WalletView } from './usePortfolio.ts'
import { ValueSummary } from './ValueSummary.tsx'
import { WalletBlock } from './WalletBlock.tsx'

type Props = {
  /** Checksummed, in the order they were added. */
  readonly wallets: readonly string[]
  readonly config: WireConfig | undefined
  /** Which wallets these are, and the ways to change that. */
  readonly walletsSection: ReactNode
  /** What else the user can do with the account; shown once everything was read. */
  readonly accountSection: ReactNode
}

/** What the signed-in user's wallets are worth together, and each on its own. */
export function PortfolioPanel({ wallets, config, walletsSection, accountSection }: Props) {
  const portfolio = usePortfolio(wallets, config)
  const coin = config?.chain.nativeCurrency
  // A wallet that is added later adds to figures that stay.
  const [complete, setComplete] = useState(!portfolio.waiting)
  if (!portfolio.waiting && !complete) setComplete(true)
  const readable = portfolio.wallets.filter(({ waiting, block }) => !waiting && block !== undefined)
  const exportCsv = () => {
    if (!coin) return
    const day = new Date().toISOString().slice(0, 10)
    saveTextFile(`portfolio-${day}.csv`, 'text/csv', toCsv(toPortfolioRows(portfolio.wallets, coin)))
  }
  return (
    <>
      <PortfolioHead
        walletCount={wallets.length}
        onRefresh={portfolio.refresh}
        onExport={readable.length > 0 && !portfolio.waiting ? exportCsv : undefined}
      />
      <ValueSummary
        totals={complete ? portfolio.totals : undefined}
        unread={wallets.length > 0 && readable.length === 0}
        gaps={complete ? describeGaps(portfolio) : ''}
      />
      {walletsSection}
      {listShowable(portfolio.wallets).map((wallet) => (
        <WalletBlock key={wallet.address} wallet={wallet} coin={coin} />
      ))}
      {complete && (
        <section aria-labelledby="account" className="mt-12 border-line border-t pt-5">
          <SectionHead id="account" text="Your account" />
          <div className="mt-2 grid gap-x-16 gap-y-8 desk:grid-cols-2">{accountSection}</div>
        </section>
      )}
    </>
  )
}

/** The wallets down to the first that is still being read: below it everything would move when it is there. */
function listShowable(wallets: readonly WalletView[]): readonly WalletView[] {
  const first = wallets.findIndex(({ waiting }) => waiting)
  return first === -1 ? wallets : wallets.slice(0, first + 1)
}
