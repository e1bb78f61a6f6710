import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@chainboard/core'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { type Clients, openClients } from '../kills/clients.ts'
import { publicUrl } from '../kills/keyOwners.ts'
import { poll } from '../waiting.ts'
import { type Dump, describeDifference, readIndexOf } from './compareWithScratch.ts'
import type { DrawnStory, Told } from './drawStory.ts'
import { startFaultProxy } from './faultProxy.ts'
import { waitUntilLive } from './runTrial.ts'
import { createSite } from './site.ts'

/** One server behind a proxy of its own. */
export type Lane = {
  play(story: DrawnStory, reorg: (depth: number) => void): Promise<Told>
  /** While no block is made: whether the index is that of `scratch`, or becomes it by itself. */
  judge(told: Told, scratch: Dump): Promise<Told>
  sums: Clients['sums']
  /** After a last kill and a look at everything that was acknowledged. @returns what is missing, in words */
  close(): Promise<readonly string[]>
}

type Parts = {
  readonly rpcUrl: string
  readonly networksDir: string
  readonly tokens: readonly Address[]
  readonly random: () => number
  readonly signal: AbortSignal
}

const liveMsMax = 90_000
/** The index looks for what is missing every 10 s, and again after longer pauses. */
const repairMsMax = 60_000
const compareEveryMs = 1_000
const startMsMax = 60_000

export async function openLane({ rpcUrl, networksDir, tokens, random, signal }: Parts): Promise<Lane> {
  const proxy = await startFaultProxy(rpcUrl)
  const folder = makeFolder('story')
  const chain = createViemChain([rpcUrl])
  const settings = { RPC_URL: proxy.url, DATA_DIR: folder, NETWORKS_DIR: networksDir, PROXIES: '1', PUBLIC_URL: publicUrl }
  const site = await createSite(settings)
  const clients = openClients(tokens, random)
  await site.start()
  await waitUntilLive(site.url, { signal, msMax: liveMsMax })

  const kill = async () => {
    site.kill('SIGKILL')
    const isUp = async () => ((await fetch(`${site.url}/healthz`).catch(() => undefined))?.ok ? true : undefined)
    // The dead one answers nobody, so the first answer is of the next one.
    await poll(isUp, { what: 'the next start', everyMs: 50, msMax: startMsMax, signal })
  }
  const killWhileWriting = async (atMs: number) => {
    const writing = clients.write(site.url)
    writing.catch(() => undefined)
    await sleep(atMs, undefined, { signal })
    await kill()
    await writing
    await clients.check(site.url)
  }
  const playActs = async ({ acts }: DrawnStory) => {
    for (const { fault, ms, calmMs } of acts) {
      proxy.set(fault)
      await sleep(ms, undefined, { signal })
      if (calmMs === 0) continue
      proxy.set(undefined)
      await sleep(calmMs, undefined, { signal })
    }
    proxy.set(undefined)
  }
  const file = join(folder, 'devnet', 'chainboard.db')
  return {
    play: async (story, reorg) => {
      const { number, acts, reorgs, killAtMs } = story
      for (const depth of reorgs) reorg(depth)
      const killing = killAtMs === undefined ? undefined : killWhileWriting(killAtMs)
      killing?.catch(() => undefined)
      await playActs(story)
      const endedAt = performance.now()
      const block = (await chain.readHead()).number
      const trouble = await Promise.all([killing, waitUntilLive(site.url, { signal, msMax: liveMsMax, block })]).then(
        () => undefined,
        (error: Error) => error.message,
      )
      const recoverySeconds = (performance.now() - endedAt) / 1_000
      return { number, acts, reorgs, killed: killing !== undefined, recoverySeconds, trouble }
    },
    judge: async (told, scratch) => {
      if (told.trouble !== undefined) return told
      let difference: string | undefined
      const isEqual = async () => {
        difference = describeDifference(await readIndexOf({ file }), scratch)
        return difference === undefined ? true : undefined
      }
      const patience = { what: 'an equal index', everyMs: compareEveryMs, msMax: repairMsMax, signal }
      const trouble = await poll(isEqual, patience).then(
        () => undefined,
        (error: Error) => `${error.message}: ${difference}\n${site.words().join('\n').slice(-2_500)}`,
      )
      return { ...told, trouble }
    },
    sums: clients.sums,
    close: async () => {
      await kill()
      await clients.check(site.url, true)
      await site.stop()
      await proxy.close()
      removeFolder(folder)
      const { lost, overAdmitted } = clients.sums()
      return [...lost, ...(overAdmitted > 0 ? [`${overAdmitted} requests over-admitted`] : [])]
    },
  }
}
