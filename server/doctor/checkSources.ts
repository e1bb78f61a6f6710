import { getDefinition } from '../market/sourceRegistry.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'

/** Looks at the sources of prices that the network file names, each as its definition does. @param node undefined: none answers */
export async function checkSources({ examined, callTimeoutMs, say }: DoctorRun, node: UsableNode | undefined): Promise<void> {
  const { network, tokens, sourceEnv: env } = examined
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
