import { type Address, Failure, type Hex, parseAddress } from '@chainboard/core'
import { getAddress } from 'viem'
import type { User } from '../../store/users.ts'
import {
  type Challenge,
  type ChallengePurpose,
  type ChallengeUse,
  challengeSeconds,
  judgeChallenge,
  makeChallenge,
} from '../methods/challenge.ts'
import type { MethodParts } from '../methods/methodParts.ts'
import { buildSiweMessage, findSiweParts } from './siweMessage.ts'

const messageLengthMax = 2_000
/** A contract may want several signatures in one. */
const signatureLengthMax = 8_194

/** What a wallet is asked to agree to, and whose account it is about; undefined for a sign-in. */
export type SiweUse = Omit<ChallengeUse, 'kind' | 'userId'> & { readonly user: User | undefined }

/** What came as a wallet's answer. */
export type SiweAnswer = { readonly message: unknown; readonly signature: unknown }

/** A message of ours that a wallet is said to have signed; whether it has is not looked at yet. */
export type SiweClaim = {
  readonly wallet: Address
  readonly message: string
  readonly signature: Hex
  readonly challenge: Challenge
}

type SiweParts = Pick<MethodParts, 'chainId' | 'keyedHash' | 'nowSeconds'>

const statements: Readonly<Record<ChallengePurpose, (name: string) => string>> = {
  'sign-in': () => 'Sign in to your account. This is free and moves no funds.',
  link: (name) => `Let this wallet sign in to the account ${name}. This is free and moves no funds.`,
  'confirm-link': (name) => `Add another way to sign in to the account ${name}. This is free and moves no funds.`,
  'confirm-removal': (name) => `Remove a way to sign in to the account ${name}. This is free and moves no funds.`,
  'confirm-pin': (name) => `Set a new PIN for the account ${name}. This is free and moves no funds.`,
}

/** The text for a wallet to sign (EIP-4361). @throws Failure `request-invalid` for what is no address */
export function makeSiweMessage(parts: SiweParts, walletAddress: unknown, use: SiweUse): string {
  const wallet = typeof walletAddress === 'string' ? parseAddress(walletAddress) : undefined
  if (!wallet) throw new Failure('request-invalid', 'walletAddress: expected an address, 0x and 40 hexadecimal digits')
  // One look at the clock: with two, a second may begin between them, and the text is refused.
  const issuedAtSeconds = Math.floor(parts.nowSeconds())
  const nonce = makeChallenge({ keyedHash: parts.keyedHash, nowSeconds: () => issuedAtSeconds }, toChallengeUse(use))
  return buildText(parts, { wallet, nonce, issuedAtSeconds }, use)
}

/**
 * Judges all of a wallet's answer but the signature: the text must be, to the letter, the one that was given out for this use.
 * @throws Failure `request-invalid` for what is no such answer, `signature-invalid` for one that does not count here or now
 */
export function judgeSiwe(parts: SiweParts, { message, signature: given }: SiweAnswer, use: SiweUse): SiweClaim {
  const signature = parseSignature(given)
  const found = typeof message === 'string' && message.length <= messageLengthMax ? findSiweParts(message) : undefined
  const wallet = found && parseAddress(found.address)
  if (typeof message !== 'string' || !found || !wallet)
    throw new Failure('request-invalid', 'message: expected the signed text of Sign-In with Ethereum (EIP-4361)')
  if (found.domain !== use.party.host)
    throw new Failure('signature-invalid', `This message was signed for another site: expected ${use.party.host}`)
  const challenge = judgeChallenge(parts, found.nonce, toChallengeUse(use))
  const { issuedAtSeconds } = challenge
  if (message !== buildText(parts, { wallet, nonce: found.nonce, issuedAtSeconds }, use))
    throw new Failure('signature-invalid', 'This message is not the one that the server issued: start again')
  return { wallet, message, signature, challenge }
}

type Given = { readonly wallet: Address; readonly nonce: string; readonly issuedAtSeconds: number }

function buildText({ chainId }: SiweParts, { wallet, nonce, issuedAtSeconds }: Given, { party, purpose, user }: SiweUse): string {
  return buildSiweMessage({
    domain: party.host,
    address: getAddress(wallet),
    statement: statements[purpose](user?.username ?? ''),
    uri: party.origin,
    chainId,
    nonce,
    issuedAtSeconds,
    expiresAtSeconds: issuedAtSeconds + challengeSeconds,
  })
}

function toChallengeUse({ purpose, party, challengeToken, user }: SiweUse): ChallengeUse {
  return { kind: 'wallet', purpose, party, challengeToken, userId: user?.id }
}

function parseSignature(value: unknown): Hex {
  if (typeof value !== 'string' || value.length > signatureLengthMax || !/^0x([0-9a-fA-F]{2})+$/.test(value))
    throw new Failure(
      'request-invalid',
      `signature: expected 0x and hexadecimal digits, ${signatureLengthMax} characters at most`,
    )
  return `0x${value.slice(2).toLowerCase()}`
}
