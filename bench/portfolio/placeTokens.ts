import type { Address } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import type { TokenListEntry } from '../../server/market/tokenList.ts'

const callsAtOnce = 100
const oneToken = 10n ** 18n

/** What a wallet holds of a token, in its smallest unit; both are counted from 0, and every pair has another amount. */
export function toHolding(wallet: number, token: number): bigint {
  return BigInt(wallet + 1) * oneToken + BigInt(token + 1)
}

/** The address of a wallet, counted from 0. */
export function toWallet(wallet: number): Address {
  return toAddress(`aa${wallet.toString(16).padStart(8, '0')}`)
}

/**
 * Puts a real token's code at many addresses, and what each wallet holds of it into its storage: what thousands of transactions
 * would leave there.
 * @returns the entries of a token list
 */
export async function placeTokens(
  devnet: Devnet,
  { tokens, wallets, signal }: { tokens: number; wallets: number; signal: AbortSignal },
): Promise<TokenListEntry[]> {
  const model = devnet.tokens.find(({ symbol }) => symbol === 'CNDR')
  const code = await devnet.rpc('eth_getCode', [model?.address, 'latest'])
  const addresses = Array.from({ length: tokens }, (_, token) => toAddress(`bb${token.toString(16).padStart(8, '0')}`))
  for (const address of addresses) await devnet.rpc('anvil_setCode', [address, code])
  const pairs = addresses.flatMap((address, token) =>
    Array.from({ length: wallets }, (_, wallet) => ({ address, token, wallet })),
  )
  for (let from = 0; from < pairs.length; from += callsAtOnce) {
    signal.throwIfAborted()
    const deal = ({ address, token, wallet }: (typeof pairs)[number]) =>
      devnet.rpc('anvil_dealERC20', [toWallet(wallet), address, `0x${toHolding(wallet, token).toString(16)}`])
    await Promise.all(pairs.slice(from, from + callsAtOnce).map(deal))
  }
  await devnet.mine()
  return addresses.map((address, i) => ({
    name: `Token ${i}`,
    symbol: `T${i}`,
    address,
    decimals: 18,
    logo: '',
    category: '',
    verified: false,
  }))
}

function toAddress(digits: string): Address {
  return `0x${digits.padStart(40, '0')}`
}
