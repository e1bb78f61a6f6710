import type { Header } from '../chain/chain.ts'
import { hideSecrets } from '../chain/hideSecrets.ts'
import { fail } from '../finding.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { judgeHead } from './judgeHead.ts'
import { judgeBatch, judgeReach } from './judgeReach.ts'
import { type RpcNode, toNodes } from './node.ts'
import { postWithRetry } from './postWithRetry.ts'

const staleAfterSecondsDefault = 300

/** Looks at every RPC URL by itself, then at their newest blocks side by side. @returns those that can be asked further, in order */
export async function checkNodes(run: DoctorRun): Promise<UsableNode[]> {
  const { network, rpcUrls } = run.examined
  const fromFile = rpcUrls.every((url, i) => url === network.chain.rpcUrls[i])
  const nodes = toNodes(rpcUrls, fromFile ? 'chain.rpcUrls' : 'RPC_URL')
  const answering: RpcNode[] = []
  for (const node of nodes) if (await answers(run, node)) answering.push(node)
  return compareHeads(run, answering)
}

async function answers({ examined, callTimeoutMs, say }: DoctorRun, { field, url }: RpcNode): Promise<boolean> {
  const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] })
  const alone = await postWithRetry({ url, body: call(1, 'eth_chainId'), timeoutMs: callTimeoutMs })
  const reach = judgeReach(field, alone, examined.network.chain.id)
  say({ ...reach, found: hideSecrets(reach.found, url) })
  if (reach.level === 'fail') return false
  const both = [call(1, 'eth_chainId'), call(2, 'eth_blockNumber')]
  const batch = judgeBatch(field, await postWithRetry({ url, body: both, timeoutMs: callTimeoutMs }))
  say({ ...batch, found: hideSecrets(batch.found, url) })
  return true
}

async function compareHeads(run: DoctorRun, nodes: readonly RpcNode[]): Promise<UsableNode[]> {
  const { say, nowSeconds, examined } = run
  const staleAfterSeconds = examined.network.prices.staleAfterSeconds ?? staleAfterSecondsDefault
  // All at once: on a fast chain even a node that was asked a second earlier looks late.
  const heads = await Promise.all(nodes.map((node) => ask(node, () => node.chain.readHead(), run)))
  const newest = heads.reduce<Header | undefined>(
    (best, { value }) => (value && (!best || value.timestampSeconds > best.timestampSeconds) ? value : best),
    undefined,
  )
  const usable: UsableNode[] = []
  for (const [i, node] of nodes.entries()) {
    const head = heads[i]?.value
    if (!head || !newest) {
      const found = `"${heads[i]?.said ?? ''}" to eth_getBlockByNumber`
      say(fail({ field: node.field, found, wanted: 'its newest block', todo: 'Use another node' }))
      continue
    }
    say(judgeHead(node.field, head, { nowSeconds: nowSeconds(), staleAfterSeconds, newest }))
    usable.push({ ...node, headNumber: head.number })
  }
  return usable.toSorted((a, b) => b.headNumber - a.headNumber)
}
