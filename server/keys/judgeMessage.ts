import { createHash } from 'node:crypto'
import {
  type Address,
  buildSignMessage,
  daySeconds,
  Failure,
  type Hex,
  parseAddress,
  parseSignMessage,
  type SignPurpose,
  toSignTitle,
} from '@chainboard/core'
import { getAddress } from 'viem'

/** What comes with a call that a wallet's signature stands for, as it came. */
export type Proof = { readonly walletAddress: unknown; readonly signature: unknown; readonly message: unknown }

/** Whose messages are good here. */
export type Site = { readonly siteName: string; readonly domain: string }

/** A message that says the right things; whether the wallet has signed it is not looked at yet. */
export type Claim = {
  readonly wallet: Address
  readonly message: string
  readonly signature: Hex
  /** SHA-256 of the message, by which it is remembered. */
  readonly digest: string
  /** When it will be too old. */
  readonly expiresAtSeconds: number
}

const rules: Readonly<Record<SignPurpose, { readonly ageMsMax: number; readonly skewMsMax: number; readonly again: string }>> = {
  'Free API Key': { ageMsMax: 600_000, skewMsMax: 30_000, again: 'sign a new one' },
  'Admin Login': { ageMsMax: daySeconds * 1000, skewMsMax: 5_000, again: 'log in again' },
  'Admin Session': { ageMsMax: 300_000, skewMsMax: 30_000, again: 'sign a new one' },
}
const messageLengthMax = 1_000
/** A contract may want several signatures in one. */
const signatureLengthMax = 8_194

/**
 * Reads a message that is said to be signed, and judges all but the signature.
 * @throws Failure `request-invalid` for what is no such message, `signature-invalid` for one that does not count here or now; no
 * text repeats what was sent
 */
export function judgeMessage(proof: Proof, purpose: SignPurpose, { siteName, domain }: Site, nowMs: number): Claim {
  const wallet = parseWallet(proof.walletAddress)
  const signature = parseSignature(proof.signature)
  const message = parseText(proof.message)
  const parts = parseSignMessage(message)
  const title = toSignTitle(siteName, purpose)
  if (!parts) throw invalid(`Malformed message: expected four lines, "${title}", Domain, Wallet and Timestamp (ISO 8601, UTC)`)
  if (parts.title !== title) throw refused(`This message was signed for something else: expected "${title}"`)
  if (parts.domain !== domain) throw refused(`This message was signed for another site: expected ${domain}`)
  if (parts.wallet.toLowerCase() !== wallet) throw refused('The message names another wallet')
  if (message !== buildSignMessage({ ...parts, wallet: getAddress(wallet) }))
    throw invalid(`Wallet: expected the address with its checksum, ${getAddress(wallet)}`)
  const { ageMsMax, skewMsMax, again } = rules[purpose]
  if (parts.atMs > nowMs + skewMsMax) throw refused('The message is dated in the future: check your clock')
  if (parts.atMs + ageMsMax <= nowMs) throw refused(`The message is too old: ${again}`)
  const digest = createHash('sha256').update(message).digest('hex')
  return { wallet, message, signature, digest, expiresAtSeconds: (parts.atMs + ageMsMax) / 1000 }
}

function parseWallet(value: unknown): Address {
  const wallet = typeof value === 'string' ? parseAddress(value) : undefined
  if (!wallet) throw invalid('walletAddress: expected an address, 0x and 40 hexadecimal digits')
  return wallet
}

function parseSignature(value: unknown): Hex {
  if (typeof value !== 'string' || value === '') throw invalid("signature: expected the wallet's signature")
  if (value.length > signatureLengthMax)
    throw invalid(`signature: found ${value.length} characters, expected ${signatureLengthMax} at most`)
  if (!/^0x([0-9a-fA-F]{2})+$/.test(value)) throw invalid('signature: expected 0x and hexadecimal digits')
  return `0x${value.slice(2).toLowerCase()}`
}

function parseText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalid('message: expected the signed text')
  if (value.length > messageLengthMax)
    throw invalid(`message: found ${value.length} characters, expected ${messageLengthMax} at most`)
  return value
}

function invalid(text: string): Failure {
  return new Failure('request-invalid', text)
}

function refused(text: string): Failure {
  return new Failure('signature-invalid', text)
}
