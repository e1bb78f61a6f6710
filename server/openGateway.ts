import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import { kindOf } from './gateway/costOf.ts'
import { createGateway, type Gateway } from './gateway/createGateway.ts'
import { toFollowing } from './networkFile.ts'
import type { NetworkFile } from './networkFileSchema.ts'

/** A slow node's every answer may take five. */
const gatewayTimeoutMs = 8_000
/** A full block of 1,500 transfers fits. Reading, checking and writing a longer answer would hold the pages up. */
const answerBytesMax = 1024 * 1024
/** A contract that a stranger has chosen may answer with anything. What a wallet or a page asks a contract for is a hundredth of this. */
const codeBytesMax = 256 * 1024

/** Strangers' way to the nodes: no request and no cool-down of theirs is shared with the site's own reads. */
export function openGatewayChain(rpcUrls: readonly string[]): Pick<Chain, 'forward'> {
  const open = (bytesMax: number) =>
    createViemChain(rpcUrls, { together: false, timeoutMs: gatewayTimeoutMs, answerBytesMax: bytesMax })
  const [chain, ofCode] = [open(answerBytesMax), open(codeBytesMax)]
  return {
    forward: (method, params, check) => (kindOf(method) === 'code' ? ofCode : chain).forward(method, params, check),
  }
}

/** What `POST /rpc` calls. @param head the newest block; undefined before the first contact */
export function openGateway(network: NetworkFile, chain: Pick<Chain, 'forward'>, head: () => number | undefined): Gateway {
  return createGateway({ chain, head, settledDepth: toFollowing(network).reorgDepthMax, nowMs: () => performance.now() })
}
