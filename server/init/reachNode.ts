import { fieldsOf } from '@chainboard/core'
import type { Header } from '../chain/chain.ts'
import { hideSecrets } from '../chain/hideSecrets.ts'
import { createViemChain } from '../chain/viemChain.ts'
import type { UsableNode } from '../doctor/doctorRun.ts'
import { judgeReach } from '../doctor/judgeReach.ts'
import { hostOf } from '../doctor/node.ts'
import { postWithRetry } from '../doctor/postWithRetry.ts'
import { unsettled } from './asker.ts'

/** The node that is surveyed. Calls that it refuses for their rate wait and are sent again. */
export type SurveyedNode = UsableNode & { readonly chainId: number; readonly head: Header }

/**
 * Reaches a node and asks which chain it is on.
 * @throws Failure `config-invalid` in the doctor's words when it gives no such answer, `rpc-…` when it has no newest block
 */
export async function reachNode(url: string, timeoutMs: number): Promise<SurveyedNode> {
  const field = `--rpc (${hostOf(url)})`
  const outcome = await postWithRetry({ url, body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }, timeoutMs })
  const claimed = outcome.kind === 'json' ? Number(fieldsOf(outcome.value)['result']) : Number.NaN
  const isId = Number.isSafeInteger(claimed) && claimed > 0
  const reach = judgeReach(field, outcome, isId ? claimed : 0)
  if (reach.level === 'fail' || !isId) {
    const { found, wanted = 'the id of a chain', todo = '' } = reach
    throw unsettled([{ field, found: hideSecrets(found, url), wanted: `${wanted}. ${todo}` }])
  }
  const chain = createViemChain([url], { paced: true })
  const head = await chain.readHead()
  return { field, url, chain, chainId: claimed, head, headNumber: head.number }
}
