import { parseAddress } from '@chainboard/core'
import { getAddress } from 'viem/utils'

/** Wallets that a user may watch; the server refuses more. */
export const walletsMax = 50

/** What a visitor typed as a wallet's address: checksummed, or in words why it cannot be added. */
export type CheckedAddress =
  | { readonly kind: 'good'; readonly address: string }
  | { readonly kind: 'bad'; readonly reason: string }

const isChecksummed = (text: string) => /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2))

/**
 * An address in one case has no checksum to break; one in both must have the right one (EIP-55), or a digit of it may be wrong.
 * @param wallets that are in the list already
 */
export function checkWalletAddress(typed: string, wallets: readonly string[]): CheckedAddress {
  const text = typed.trim().replace(/^0X/, '0x')
  const id = parseAddress(text)
  if (!id) return { kind: 'bad', reason: describeShape(text) }
  const address = getAddress(id)
  if (isChecksummed(text) && text !== address)
    return {
      kind: 'bad',
      reason: 'This address fails its checksum, so a character may be wrong. Copy it again.',
    }
  if (wallets.some((wallet) => wallet.toLowerCase() === id)) return { kind: 'bad', reason: 'Wallet is already added' }
  if (wallets.length >= walletsMax) return { kind: 'bad', reason: `You can add up to ${walletsMax} wallets` }
  return { kind: 'good', address }
}

function describeShape(text: string): string {
  if (/^(0x)?[0-9a-f]{64}$/i.test(text))
    return 'These are 64 digits: a private key or a transaction, not an address. Never paste a private key into a website.'
  return 'An address is 0x followed by 40 hexadecimal digits.'
}
