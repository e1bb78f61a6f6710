import { tmpdir } from 'node:os'
import type { Config } from '../config.ts'
import { toTokenList } from '../market/tokenList.ts'
import { listed, networkFile } from './market.ts'

/** What a server of the tests is told: the market of market.ts, no key, no other subgraph, any free port. */
export function testConfig({ store, ...changes }: Pick<Config, 'store'> & Partial<Config>): Config {
  return {
    networkName: 'test',
    network: networkFile,
    tokenList: toTokenList(listed, []),
    listFiles: undefined,
    rpcUrls: [],
    store,
    role: 'auto',
    dataDir: tmpdir(),
    host: '127.0.0.1',
    port: 0,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    metricsToken: undefined,
    tellsFigures: true,
    drainSeconds: 0,
    domain: 'board.example',
    origin: 'https://board.example',
    publicOrigin: 'https://board.example',
    pepper: { file: '', given: 'a pepper that only the tests know' },
    proxies: 0,
    logLevel: 'silent',
    logosDir: tmpdir(),
    sourceEnv: {},
    adminWallets: [],
    twoOwnersDelete: false,
    ...changes,
  }
}
