import type { WireConfig } from '@chainboard/contract'
import { buildSignMessage, type SignPurpose, toSignTitle } from '@chainboard/core'
import { readServerTimeMs } from './readServerTime.ts'

/** What the server takes as a wallet's word. */
export type Proof = { readonly walletAddress: string; readonly signature: string; readonly message: string }

/** Has a text signed by the visitor's wallet. */
export type SignText = (text: string) => Promise<{ readonly signature: string } | { readonly error: string }>

type Wish = {
  readonly purpose: SignPurpose
  /** Checksummed. */
  readonly wallet: string
  readonly config: Pick<WireConfig, 'siteName' | 'domain'>
}

/**
 * Has the visitor's wallet sign the message for `purpose`. Its moment is the server's, so that a device with a wrong clock can sign
 * all the same.
 */
export async function signProof(
  { purpose, wallet, config }: Wish,
  sign: SignText,
): Promise<{ readonly proof: Proof } | { readonly error: string }> {
  const timestamp = new Date(await readServerTimeMs()).toISOString()
  const message = buildSignMessage({ title: toSignTitle(config.siteName, purpose), domain: config.domain, wallet, timestamp })
  const signing = await sign(message)
  return 'error' in signing ? signing : { proof: { walletAddress: wallet, signature: signing.signature, message } }
}
