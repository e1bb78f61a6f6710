import { rawToDecimal } from '@chainboard/core'
import { type Coin, describePosition } from './describePosition.ts'
import type { WalletView } from './usePortfolio.ts'
import { type Position, readPrice } from './valueWallet.ts'

const head = ['Wallet', 'Kind', 'Name', 'Symbol', 'Token', 'Staking contract', 'Balance', 'Price USD', 'Value USD']

type Wallet = Pick<WalletView, 'address' | 'value' | 'block' | 'stakesFailed'>

/**
 * Every position of every wallet with all its digits, under a head. What has no price has no value. The last rows are the
 * wallets that are missing, and those of which some stakes are.
 */
export function toPortfolioRows(wallets: readonly Wallet[], coin: Coin): string[][] {
  const rows = wallets.flatMap(({ address, value }) =>
    [...value.tokens, ...value.stakes].map((position) => toRow(address, position, coin)),
  )
  return [head, ...rows, ...wallets.flatMap(toMissingRow)]
}

function toMissingRow({ address, block, stakesFailed }: Wallet): string[][] {
  if (block !== undefined && !stakesFailed) return []
  const what = block === undefined ? 'This wallet could not be read' : 'Some stakes could not be read'
  return [[address, 'Missing', what, ...Array<string>(head.length - 3).fill('')]]
}

function toRow(wallet: string, position: Position, coin: Coin): string[] {
  const { tokenAddress, contract, balance, usdE18, token } = position
  const { name, suffix, symbol } = describePosition(position, coin)
  const priceE18 = readPrice(token)
  return [
    wallet,
    contract === undefined ? 'Token' : 'Staked',
    name + suffix,
    symbol,
    tokenAddress,
    contract ?? '',
    balance,
    priceE18 === undefined ? '' : rawToDecimal(priceE18, 18),
    usdE18 === undefined ? '' : rawToDecimal(usdE18, 18),
  ]
}
