import { type Address, type OperatorRole, parseAddress } from '@chainboard/core'
import { privateKeyToAccount } from 'viem/accounts'

/** The devnet's operator and demo user; their keys are public. */
export const operator = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const demoUser = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
/** Nobody's. */
export const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)

export type SignedProof = { walletAddress: string; signature: string; message: string }
type Account = typeof operator

type Words = {
  readonly siteName?: string
  readonly purpose?: string
  readonly domain?: string
  /** The wallet in the message. */
  readonly wallet?: string
  readonly atMs?: number
}

/** A message of this site, written out as any client would, and signed. */
export async function signProof(account: Account, words: Words = {}): Promise<SignedProof> {
  const message = writeMessage(account.address, words)
  return { walletAddress: account.address, message, signature: await account.signMessage({ message }) }
}

export function writeMessage(address: string, words: Words = {}): string {
  const { siteName = 'Testboard', purpose = 'Free API Key', domain = 'board.example', wallet = address } = words
  const timestamp = new Date(words.atMs ?? Date.now()).toISOString()
  return `${siteName} ${purpose}\nDomain: ${domain}\nWallet: ${wallet}\nTimestamp: ${timestamp}`
}

/** These wallets as operators of a site. */
export function withRole(role: OperatorRole, ...accounts: readonly { readonly address: Address }[]) {
  return accounts.flatMap(({ address }) => {
    const wallet = parseAddress(address)
    return wallet ? { wallet, role } : []
  })
}
