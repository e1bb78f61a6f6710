import type { PortfolioView } from './usePortfolio.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

/** What the sums of a portfolio leave out, in words; empty when they leave out nothing. */
export function describeGaps({ wallets: all, pricesFailed }: Pick<PortfolioView, 'wallets' | 'pricesFailed'>): string {
  const wallets = all.filter(({ waiting }) => !waiting)
  const unread = wallets.filter(({ block }) => block === undefined).length
  const unstaked = wallets.filter(({ stakesFailed }) => stakesFailed).length
  const positions = wallets.flatMap(({ value }) => [...value.tokens, ...value.stakes])
  const unpriced = new Set(positions.filter(({ usdE18 }) => usdE18 === undefined).map(({ tokenAddress }) => tokenAddress)).size
  return [
    unread > 0 && `${count(unread, 'wallet', 'wallets')} could not be read.`,
    unstaked > 0 && `Some stakes of ${count(unstaked, 'wallet', 'wallets')} could not be read.`,
    pricesFailed && 'Prices could not be refreshed.',
    unpriced > 0 && `${count(unpriced, "token without a price isn't", "tokens without a price aren't")} counted.`,
  ]
    .filter(Boolean)
    .join(' ')
}
