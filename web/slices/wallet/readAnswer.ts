import { toDisplayText } from '@chainboard/core'
import { getAddress } from 'viem/utils'
import { fieldOf, type Hex, isHex, textOf } from '../../lib/untrusted.ts'

// Wallets are programs of strangers: what they answer is read, not believed.

/** The first account of an answer to `eth_accounts`, checksummed; `undefined` when there is none. */
export function readAccount(accounts: unknown): string | undefined {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? getAddress(first) : undefined
}

/** `0x7a69`, `31337` -> 31337. What is no chain id reads 0, which is no chain. */
export function readChainId(chainId: unknown): number {
  const id = typeof chainId === 'string' || typeof chainId === 'number' ? Number(chainId) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/** `0xde0b6b3a7640000` -> 10n ** 18n. A balance that cannot be read is 0 (specification §8). */
export function readBalance(balance: unknown): bigint {
  return typeof balance === 'string' && /^0x[0-9a-f]{1,64}$/i.test(balance) ? BigInt(balance) : 0n
}

/** The code of what a wallet threw; MetaMask's app wraps the chain's own error into one of its own. */
export function readErrorCode(error: unknown): number | undefined {
  const inner = fieldOf(fieldOf(fieldOf(error, 'data'), 'originalError'), 'code')
  if (typeof inner === 'number') return inner
  const code = fieldOf(error, 'code')
  return typeof code === 'number' ? code : undefined
}

const declined = 4001
const alreadyAsking = -32002
/** WalletConnect's own, of a wallet that knows none of the chains that were named. */
export const noSuchChain = 5100

/** Ours, of a wallet at the other end of a relay: whether it has done what it was asked for is not known. */
export const notReported = -32099
export const notReportedText = 'Your wallet has not reported the result. Check your wallet before you try again.'

/** What happened, where a wallet's code tells it: the visitor declined, or is being asked already. */
export function readKnownRefusal(error: unknown): string | undefined {
  const code = readErrorCode(error)
  if (code === declined) return 'You declined the request in your wallet'
  if (code === alreadyAsking) return 'Your wallet already has a request open. Open your wallet to continue.'
  if (code === noSuchChain) return 'Your wallet does not support this network'
  if (code === notReported) return notReportedText
  return undefined
}

/** What a failed request to a wallet reads on screen. */
export function toErrorText(error: unknown, otherwise: string): string {
  return readKnownRefusal(error) ?? otherwise
}

const wordsMax = 200

/** A wallet's own words for a failure, made harmless. */
export function readWords(error: unknown): string | undefined {
  const words = toDisplayText(textOf(error, 'message') ?? '', '', wordsMax)
  return words === '' ? undefined : words
}

/** Wallets wrap the node's error into their own, some of them more than once. */
const wrappingsMax = 6
/** Of the four bytes that name an error, as text. */
const selectorLength = 10

/** What a contract said no with, wherever in an error a wallet has put it. */
export function readRevertData(error: unknown): Hex | undefined {
  let inner = error
  for (let depth = 0; depth < wrappingsMax; depth += 1) {
    if (typeof inner === 'string')
      return isHex(inner) && inner.length >= selectorLength && inner.length % 2 === 0 ? inner : undefined
    inner = fieldOf(inner, 'data') ?? fieldOf(inner, 'originalError') ?? fieldOf(inner, 'cause')
  }
  return undefined
}
