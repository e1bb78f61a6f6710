import type { Devnet } from '@chainboard/devnet'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { readConfig } from '../config.ts'
import type { Examined } from '../doctor/doctorRun.ts'
import { examine } from '../doctor/examine.ts'
import { formatFinding } from '../finding.ts'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { startShortDevnet } from './startShortDevnet.ts'
import { type StrangeNode, type Strangeness, startStrangeNode } from './strangeNode.ts'

const config = readConfig({ NETWORK: 'devnet' })
const callTimeoutMs = 2_000

/** What differs from the devnet and its own network file. */
export type DoctorCase = {
  readonly rpcUrls?: readonly string[]
  readonly network?: (network: NetworkFile) => Partial<NetworkFile>
  readonly tokens?: readonly ListedToken[]
  readonly examined?: Partial<Examined>
  readonly totalMs?: number
}

/** A devnet for one test file, and the doctor's runs on it. */
export function createDoctorRuns() {
  let devnet: Devnet
  let headSeconds: number
  const opened: StrangeNode[] = []
  beforeAll(async () => {
    devnet = await startShortDevnet()
    headSeconds = Number((await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((node) => node.close()))
  })
  afterAll(() => devnet.stop())

  return {
    devnet: () => devnet,
    headSeconds: () => headSeconds,
    /** The URL of a node that is strange in front of the devnet, as long as the test runs. */
    strange: async (strangeness: Strangeness): Promise<string> => {
      const node = await startStrangeNode(devnet.rpcUrl, strangeness)
      opened.push(node)
      return node.url
    },
    /** The lines an operator sees 5 s after the newest block, with `NODE` for the host of the first node. */
    linesFor: async ({ rpcUrls = [devnet.rpcUrl], network, tokens, examined, totalMs }: DoctorCase = {}): Promise<string[]> => {
      const { chain } = config.network
      const changed = { ...config.network, chain: { ...chain, rpcUrls: [...rpcUrls] }, ...network?.(config.network) }
      const asked = {
        network: changed,
        tokens: tokens ?? config.tokenList.tokens,
        rpcUrls,
        sourceEnv: {},
      }
      const lines: string[] = []
      await examine(
        { ...asked, ...examined },
        {
          say: (finding) => lines.push(formatFinding(finding).replaceAll(new URL(rpcUrls[0] as string).host, 'NODE')),
          heading: () => undefined,
          callTimeoutMs,
          nowSeconds: () => headSeconds + 5,
          ...(totalMs === undefined ? {} : { totalMs }),
        },
      )
      return lines
    },
  }
}

/** An entry of the devnet's token list. */
export function inList(symbol: string): ListedToken {
  return config.tokenList.tokens.find((token) => token.symbol === symbol) as ListedToken
}

export function failsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('FAIL'))
}
