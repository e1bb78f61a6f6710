import type { WireUser } from '@chainboard/contract'
import { RequestError, sendJson } from '../../lib/fetchJson.ts'
import { walletsUrl, walletUrl } from '../../lib/urls.ts'

/** Adding a wallet to a user's list, or taking one off. `address` is checksummed. */
export type WalletChange = { readonly kind: 'add' | 'remove'; readonly address: string }

/** The server's own words about a failed change, else the specification's. */
export function describeChangeFailure(kind: WalletChange['kind'], error: unknown): string {
  const serverText = error instanceof RequestError ? error.serverText : undefined
  return serverText ?? (kind === 'add' ? 'Failed to add wallet' : 'Failed to remove wallet')
}

export type PinHolder = {
  readonly username: string
  /** The PIN of this visit's sign-in; undefined after the page was loaded anew. */
  readonly rememberedPin: () => string | undefined
}

/**
 * @param pin as typed; the remembered one stands in for none
 * @returns the user after it
 * @throws RequestError, `PIN required` when there is no PIN at all
 */
export async function changeWallets(holder: PinHolder, { kind, address }: WalletChange, pin: string): Promise<WireUser> {
  const proof = pin || holder.rememberedPin()
  if (!proof) throw new RequestError('no PIN', { serverText: 'PIN required' })
  return kind === 'add'
    ? sendJson<WireUser>('POST', walletsUrl(holder.username), { address, pin: proof })
    : sendJson<WireUser>('DELETE', walletUrl(holder.username, address), { pin: proof })
}
