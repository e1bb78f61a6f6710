import { getDefinition } from '../market/sourceRegistry.ts'
import type { UsableNode, Visit } from './visit.ts'

/** Looks at the sources of prices that the network file names, each as its definition does. @param node undefined: none answers */
export async function checkSources({ patient, callTimeoutMs, say }: Visit, node: UsableNode | undefined): Promise<void> {
  const { network, tokens, sourceEnv: env } = patient
  for (const name of network.prices.sources) {
    await getDefinition(name).check({
      network,
      tokens,
      env,
      chain: node?.chain,
      headNumber: node?.headNumber,
      callTimeoutMs,
      say,
    })
  }
}
