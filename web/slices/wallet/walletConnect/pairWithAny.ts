import { readErrorCode } from '../readAnswer.ts'
import type { RelayClient } from './openClient.ts'
import type { PairingDesk } from './pairing.ts'
import { walletMethods } from './sessionProvider.ts'
import type { Active } from './sessionStorage.ts'
import { within } from './within.ts'

/** A relay that has not taken a proposal by then is as good as none. */
const openMsMax = 10_000
/** Beside ours: a wallet that does not know our chain can still sign. */
const everyWalletsChain = 1

/** The visitor said no, as EIP-1193 has it. */
class Cancelled extends Error {
  readonly code = 4001
}

type Paired = { readonly link: RelayClient; readonly active: Active }

/**
 * Shows one code after the other until a wallet has answered.
 * @throws what the wallet refused with; Cancelled when the visitor had enough
 */
export async function pairWithAny(
  makeClient: (folder: string) => Promise<RelayClient>,
  chainId: number,
  desk: PairingDesk,
): Promise<Paired> {
  for (;;) {
    desk.show({ kind: 'opening' })
    const wish = desk.awaitWish()
    const folder = crypto.randomUUID?.() ?? String(Math.random()).slice(2)
    const link = await makeClient(folder)
    const outcome = await Promise.race([pairOnce(link, chainId, desk), wish.then((kind) => ({ kind }))])
    if (outcome.kind === 'paired') return { link, active: { folder, topic: outcome.topic } }
    await link.close()
    if (outcome.kind === 'refused') throw outcome.error
    if (outcome.kind === 'cancel') throw new Cancelled('The visitor cancelled')
    if (outcome.kind === 'renew') continue
    desk.show({ kind: outcome.kind })
    if ((await wish) === 'cancel') throw new Cancelled('The visitor cancelled')
  }
}

type Outcome =
  | { readonly kind: 'paired'; readonly topic: string }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'expired' | 'unreachable' }

/** One code: from the proposal to the first answer of a wallet. */
async function pairOnce({ client }: RelayClient, chainId: number, desk: PairingDesk): Promise<Outcome> {
  const chains = [...new Set([chainId, everyWalletsChain])].map((id) => `eip155:${id}`)
  const wanted = { chains, methods: [...walletMethods], events: ['accountsChanged', 'chainChanged'] }
  const proposed = await within(openMsMax, client.connect({ optionalNamespaces: { eip155: wanted } })).catch(() => undefined)
  if (proposed?.uri === undefined) return { kind: 'unreachable' }
  const untilSeconds = Number(new URLSearchParams(proposed.uri.split('?')[1]).get('expiryTimestamp'))
  desk.show({ kind: 'waiting', uri: proposed.uri, untilSeconds })
  try {
    return { kind: 'paired', topic: (await proposed.approval()).topic }
  } catch (error) {
    // What has no code is the end of the code's time.
    return readErrorCode(error) ? { kind: 'refused', error } : { kind: 'expired' }
  }
}
