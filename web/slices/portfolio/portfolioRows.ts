import { rawToDecimal } from '@chainboard/core'
import { type Coin, describePosition } from './describePosition.ts'
import { type Position, readPrice, type WalletValue } from './valueWallet.ts'

const head = ['Wallet', 'Kind', 'Name', 'Symbol', 'Token', 'Staking contract', 'Balance', 'Price USD', 'Value USD']

/** Every position of every wallet with all its digits, under a head. What has no price has no value. */
export function toPortfolioRows(
  wallets: readonly { readonly address: string; readonly value: WalletValue }[],
  coin: Coin,
): string[][] {
  const rows = wallets.flatMap(({ address, value }) =>
    [...value.tokens, ...value.stakes].map((position) => toRow(address, position, coin)),
  )
  return [head, ...rows]
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
