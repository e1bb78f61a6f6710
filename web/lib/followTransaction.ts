import type { CallNode } from './callNode.ts'
import { type FollowedCall, findReplacement } from './findReplacement.ts'
import { fieldOf, type Hex, isHex, textOf } from './untrusted.ts'

type Hash = Hex

export type Receipt = {
  readonly transactionHash: Hash
  /** `0x1` for what was done. */
  readonly status: string
  readonly blockNumber: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly Hash[]; readonly data: Hash }[]
}

/** `cancelled` and `replaced` by another transaction of the wallet; `dropped` by the network; `lost` from sight. */
export type Outcome =
  | { readonly kind: 'mined'; readonly receipt: Receipt }
  | { readonly kind: 'reverted'; readonly receipt: Receipt }
  | { readonly kind: 'cancelled' | 'replaced' | 'dropped' | 'lost' }

export type FollowDeps = {
  readonly call: CallNode
  readonly wait: (ms: number) => Promise<void>
  readonly nowMs: () => number
}

/** Asked often at first: a quick chain has mined it before anybody looks up. */
const paces = [
  { untilMs: 60_000, everyMs: 400 },
  { untilMs: 600_000, everyMs: 2_000 },
  { untilMs: 3_600_000, everyMs: 6_000 },
] as const
/** As long as the nodes behind one address may take to tell each other. */
const unknownMsMax = 10_000

/**
 * Follows a transaction until it is mined or will not be. A wallet that puts the same call into another transaction is followed there.
 * A node that does not answer is asked again.
 * @param onSpedUp told the hash that has taken the place of the one before
 */
export async function followTransaction(
  { call, wait, nowMs }: FollowDeps,
  followed: FollowedCall,
  onSpedUp: (hash: Hash) => void,
): Promise<Outcome> {
  const startMs = nowMs()
  let { hash, nonce, sinceBlock } = followed
  let knownMs = startMs
  for (;;) {
    const pace = paces.find(({ untilMs }) => nowMs() - startMs < untilMs)
    if (!pace) return { kind: 'lost' }
    try {
      const receipt = await call('eth_getTransactionReceipt', [hash])
      if (isReceipt(receipt)) return { kind: receipt.status === '0x1' ? 'mined' : 'reverted', receipt }
      const found = textOf(await call('eth_getTransactionByHash', [hash]), 'nonce')
      // Only one that the node does not know may have been replaced or dropped.
      if (found) {
        nonce = Number(found)
        knownMs = nowMs()
      } else {
        const { mined, waiting } = await readNonces(call, followed.from)
        // While another one with its number waits, nothing is dropped.
        if (waiting > nonce) knownMs = nowMs()
        if (mined > nonce) {
          const search = await findReplacement(call, { ...followed, nonce, sinceBlock })
          if (search.kind === 'same' && search.hash !== hash) onSpedUp(search.hash)
          if (search.kind === 'same') hash = search.hash
          else if (search.kind === 'notYet') sinceBlock = search.nextBlock
          else return { kind: search.kind }
        }
      }
      if (nowMs() - knownMs > unknownMsMax) return { kind: 'dropped' }
    } catch {
      // As above: it may answer the next time. What it has not said counts for nothing.
      knownMs = nowMs()
    }
    await wait(pace.everyMs)
  }
}

/** Null until it is mined. */
function isReceipt(receipt: unknown): receipt is Receipt {
  const isNamed = isHex(fieldOf(receipt, 'transactionHash')) && isHex(fieldOf(receipt, 'blockNumber'))
  return isNamed && isHex(fieldOf(receipt, 'status')) && Array.isArray(fieldOf(receipt, 'logs'))
}

async function readNonces(call: CallNode, from: string): Promise<{ readonly mined: number; readonly waiting: number }> {
  const read = async (tag: string) => Number(await call('eth_getTransactionCount', [from, tag]))
  const [mined, waiting] = await Promise.all([read('latest'), read('pending')])
  return { mined, waiting }
}
