import type { Receipt, WirePriceRules } from '@chainboard/contract'
import { messageOf } from '@chainboard/core'
import { hideSecrets } from '../../server/chain/hideSecrets.ts'
import { createHttpNode } from '../../server/chain/httpNode.ts'
import type { RpcNode } from '../../server/chain/rpcNode.ts'
import { createNodeChain } from '../../server/chain/viemChain.ts'
import type { Verdict } from '../../server/verify/judge.ts'
import { logRangeDefault, type VerifyStep } from '../../server/verify/readPoolEvents.ts'
import { toRetryingChain } from '../../server/verify/retryingChain.ts'
import { verifyClaim } from '../../server/verify/verifyClaim.ts'

export type { Verdict, VerifyStep }

/** Which node is asked: one behind a URL, or the one that the visitor's wallet uses. */
export type VerifyNode =
  | { readonly url: string }
  | { readonly provider: { request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown> } }

/** What the site says: its chain, the rules that it publishes, what its list says of the token, and the receipt. */
export type PriceClaim = {
  readonly chainId: number
  readonly rules: WirePriceRules | undefined
  readonly listed: { readonly symbol: string; readonly supply: number }
  readonly receipt: Receipt
}

/**
 * Works a price out again in this browser, by the code of `npm run verify`, from what a node says. Never throws: what cannot be told is
 * a verdict of its own.
 * @param onStep after each step, and `onWait` before each wait for a node's rate limit
 */
export async function verifyPrice(
  node: VerifyNode,
  claim: PriceClaim,
  { onStep, onWait }: { readonly onStep: (step: VerifyStep) => void; readonly onWait: (ms: number) => void },
): Promise<Verdict> {
  const hide = (said: string) => ('url' in node ? hideSecrets(said, node.url) : said)
  try {
    const chain = toRetryingChain(createNodeChain([toNode(node)]), onWait)
    const asking = { chain, logRange: logRangeDefault, onLogs: () => undefined, onStep }
    const site = { ...claim, rpcUrl: '', rulesFrom: 'its /api/config', figure: undefined }
    return await verifyClaim(asking, site, hide)
  } catch (error) {
    // A receipt in a shape that no site of this version makes.
    return { kind: 'cannot-tell', why: `The receipt could not be read: ${hide(messageOf(error))}` }
  }
}

function toNode(node: VerifyNode): RpcNode {
  // This site's gateway takes smaller batches than nodes do.
  if ('url' in node) return createHttpNode(node.url, { together: !node.url.startsWith(`${location.origin}/`) })
  return { request: (method, params) => node.provider.request({ method, params }) }
}
