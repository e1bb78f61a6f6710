import { Failure } from '@chainboard/core'
import type { Chain, Header } from './chain.ts'

/** In place of the first block's hash, of a node that does not have that block. */
export const noGenesis = 'no-genesis'

/** Which chain a node is on. `genesis` is the hash of its first block, `noGenesis` where the node does not have it. */
export type ChainIdentity = { readonly chainId: number; readonly genesis: string }

/** @throws Failure `rpc-other-chain` when the node is on another chain than the network file names */
export async function readIdentity(chain: Chain, chainId: number): Promise<ChainIdentity> {
  return { chainId, genesis: (await readGenesis(chain, chainId))?.hash ?? noGenesis }
}

/** @throws Failure `rpc-other-chain` when the node is not on the chain that is followed: it comes last then, where there are several */
export async function checkIdentity(chain: Chain, { chainId, genesis }: ChainIdentity): Promise<void> {
  const found = await readGenesis(chain, chainId)
  if (!found && genesis !== noGenesis) throw withoutGenesis()
  if ((found?.hash ?? noGenesis) === genesis) return
  found?.distrust?.()
  throw otherChain(
    `The node's chain begins with block ${found?.hash}, the stored data is from a chain that begins with ${genesis}`,
  )
}

async function readGenesis(chain: Chain, chainId: number): Promise<Header | undefined> {
  const [found, genesis] = [await chain.readChainId(chainId), await chain.readHeader(0)]
  if (found !== chainId) throw otherChain(`The node is on chain ${found}, the network file says ${chainId}`)
  return genesis
}

/** A node is on another chain than it should be. @param text how that shows, without a full stop */
export function otherChain(text: string): Failure {
  return new Failure('rpc-other-chain', `${text}: check RPC_URL`, { retryable: true })
}

/** A node that does not know the first block says nothing of which chain it is on. */
export function withoutGenesis(): Failure {
  return new Failure('rpc-unavailable', "The node does not have the chain's first block", { retryable: true })
}
