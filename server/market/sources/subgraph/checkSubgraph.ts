import { hideSecrets } from '../../../chain/hideSecrets.ts'
import { postJson } from '../../../chain/postJson.ts'
import type { SourceVisit } from '../../sourceDefinition.ts'
import { findSubgraphUrl, type subgraphFile } from './findSubgraphUrl.ts'
import { judgeSubgraph, subgraphQuestion } from './judgeSubgraph.ts'

/** Whether the subgraph answers, and whose it is. */
export async function checkSubgraph({
  network,
  env,
  headNumber,
  callTimeoutMs,
  say,
}: SourceVisit<typeof subgraphFile>): Promise<void> {
  const url = findSubgraphUrl(network, env)
  if (!url) return
  const name = url === network.subgraphUrl ? 'subgraphUrl' : 'SUBGRAPH_URL'
  const outcome = await postJson({ url, body: { query: subgraphQuestion }, timeoutMs: callTimeoutMs })
  const finding = judgeSubgraph(outcome, {
    field: `${name} (${URL.parse(url)?.host ?? 'no URL'})`,
    factory: network.dex.factory.toLowerCase(),
    headNumber,
    isOnlySource: !network.prices.sources.includes('index'),
  })
  say({ ...finding, found: hideSecrets(finding.found, url) })
}
