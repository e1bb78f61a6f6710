import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFolder } from '../children.ts'
import { startFaultProxy } from './faultProxy.ts'
import type { Kind, Lab, Trial } from './kind.ts'
import { type NodeKind, nodeKinds } from './nodeFaults.ts'
import { createSite } from './site.ts'

/** Faults of the node. */
export const nodeTrials: readonly Kind[] = nodeKinds.map((kind) => ({
  group: 'node',
  name: kind.name,
  open: (lab) => openNodeTrial(lab, kind),
}))

async function openNodeTrial(lab: Lab, { fault, atStart = false, withSecond = false }: NodeKind): Promise<Trial> {
  const proxy = await startFaultProxy(lab.rpcUrl)
  const folder = makeFolder('faults')
  if (!atStart) cpSync(lab.template, folder, { recursive: true })
  const rpcUrl = withSecond ? `${proxy.url},${lab.rpcUrl}` : proxy.url
  const site = await createSite({ RPC_URL: rpcUrl, DATA_DIR: folder, NETWORKS_DIR: lab.networksDir })
  return {
    site,
    location: { file: join(folder, 'devnet', 'chainboard.db') },
    atStart,
    begin: async () => {
      proxy.set(fault)
      if (atStart) await site.start()
    },
    end: () => proxy.set(undefined),
    close: async () => {
      await proxy.close()
      removeFolder(folder)
    },
  }
}
