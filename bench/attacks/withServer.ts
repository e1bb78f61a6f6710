import { join, resolve } from 'node:path'
import { messageOf } from '@chainboard/core'
import { makeFolder, removeFolder } from '../children.ts'
import { createSite, type Site } from '../faults/site.ts'
import { NotMeasured } from '../notMeasured.ts'
import { createSiteReader, type SiteReader } from './readSite.ts'
import { type ListedOnStage, writeNetwork } from './writeNetwork.ts'

/** No request waits when the server ends, and its TypeScript is compiled once for all attacks. */
const quickStart = { DRAIN_SECONDS: '0', NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/node') }

type Options = { readonly list: ListedOnStage; readonly signal: AbortSignal }

/** Runs the work with a new server that follows the chain, and ends the server. @throws NotMeasured with the end of the server's log */
export async function withServer<T>(
  chain: { readonly rpcUrl: string },
  { list, signal }: Options,
  work: (reader: SiteReader) => Promise<T>,
): Promise<T> {
  const folder = makeFolder('attacks')
  let site: Site | undefined
  let reader: SiteReader | undefined
  try {
    const networksDir = writeNetwork(folder, list)
    const data = join(folder, 'data')
    const settings = { RPC_URL: chain.rpcUrl, DATA_DIR: data, NETWORKS_DIR: networksDir, LOG_LEVEL: 'warn' }
    site = await createSite({ ...settings, ...quickStart })
    await site.start()
    reader = createSiteReader(site.url, signal)
    return await work(reader)
  } catch (error) {
    signal.throwIfAborted()
    throw new NotMeasured(`${messageOf(error)}\n${site?.words().join('\n').slice(-2_000) ?? ''}`, { cause: error })
  } finally {
    reader?.close()
    await site?.stop()
    removeFolder(folder)
  }
}
