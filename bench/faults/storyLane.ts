import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@chainboard/core'
import { messageOf } from '@chainboard/core'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { type Clients, openClients } from '../kills/clients.ts'
import { publicUrl } from '../kills/keyOwners.ts'
import { poll } from '../waiting.ts'
import { type Dump, describeDifference, readIndexOf } from './compareWithScratch.ts'
import type { DrawnStory, Told } from './drawStory.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'
import { waitUntilLive } from './runTrial.ts'
import { createSite, type Site } from './site.ts'

/** One server with its own proxy. */
export type Lane = {
  play(story: DrawnStory, reorg: (depth: number) => void): Promise<Told>
  /** While no block is mined: whether the index equals `scratch`, or repairs itself. */
  judge(told: Told, scratch: Dump): Promise<Told>
  sums: Clients['sums']
  /** Kills once more, and checks everything that was acknowledged. @returns what is missing, in words */
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
const logShown = 2_500

/** Starts a server with its own proxy and clients. @throws NotMeasured when it does not become live */
export async function openLane({ rpcUrl, networksDir, tokens, random, signal }: Parts): Promise<Lane> {
  const proxy = await startFaultProxy(rpcUrl)
  const folder = makeFolder('story')
  const chain = createViemChain([rpcUrl])
  const settings = { RPC_URL: proxy.url, DATA_DIR: folder, NETWORKS_DIR: networksDir, PROXIES: '1', PUBLIC_URL: publicUrl }
  const site = await createSite(settings)
  const clients = openClients(tokens, random)
  await site.start()
  await waitUntilLive(site.url, { signal, msMax: liveMsMax })
  const file = join(folder, 'devnet', 'chainboard.db')
  return {
    play: async (story, reorg) => {
      const { number, acts, reorgs, killAtMs } = story
      for (const depth of reorgs) reorg(depth)
      const killing = killAtMs === undefined ? undefined : killWhileWriting({ site, clients, signal }, killAtMs)
      killing?.catch(() => undefined)
      await playActs(acts, proxy, signal)
      const endedAt = performance.now()
      const block = (await chain.readHead()).number
      const trouble = await toTrouble(Promise.all([killing, waitUntilLive(site.url, { signal, msMax: liveMsMax, block })]))
      const recoverySeconds = (performance.now() - endedAt) / 1_000
      return { number, acts, reorgs, killed: killing !== undefined, recoverySeconds, trouble }
    },
    judge: async (told, scratch) =>
      told.trouble === undefined ? { ...told, trouble: await findDifference({ site, file, signal }, scratch) } : told,
    sums: clients.sums,
    close: async () => {
      await kill(site, signal)
      await clients.check(site.url, true)
      await site.stop()
      await proxy.close()
      removeFolder(folder)
      const { lost, overAdmitted } = clients.sums()
      return [...lost, ...(overAdmitted > 0 ? [`${overAdmitted} requests over-admitted`] : [])]
    },
  }
}

async function kill(site: Site, signal: AbortSignal): Promise<void> {
  site.kill('SIGKILL')
  const isUp = async () => ((await fetch(`${site.url}/healthz`).catch(() => undefined))?.ok ? true : undefined)
  // The killed server answers nothing, so the first answer is of the next one.
  await poll(isUp, { what: 'the next start', everyMs: 50, msMax: startMsMax, signal })
}

type Used = { readonly site: Site; readonly clients: Clients; readonly signal: AbortSignal }

async function killWhileWriting({ site, clients, signal }: Used, atMs: number): Promise<void> {
  const writing = clients.write(site.url)
  writing.catch(() => undefined)
  await sleep(atMs, undefined, { signal })
  await kill(site, signal)
  await writing
  await clients.check(site.url)
}

async function playActs(acts: DrawnStory['acts'], proxy: FaultProxy, signal: AbortSignal): Promise<void> {
  for (const { fault, ms, calmMs } of acts) {
    proxy.set(fault)
    await sleep(ms, undefined, { signal })
    if (calmMs === 0) continue
    proxy.set(undefined)
    await sleep(calmMs, undefined, { signal })
  }
  proxy.set(undefined)
}

/** Why a promise failed, in words; undefined when it did not. */
function toTrouble(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(() => undefined, messageOf)
}

type Indexed = { readonly site: Site; readonly file: string; readonly signal: AbortSignal }

/** Waits until the index repairs itself. @returns the last difference, with the end of the log; undefined when there is none */
async function findDifference({ site, file, signal }: Indexed, scratch: Dump): Promise<string | undefined> {
  let difference: string | undefined
  const isEqual = async () => {
    difference = describeDifference(await readIndexOf({ file }), scratch)
    return difference === undefined ? true : undefined
  }
  const patience = { what: 'an equal index', everyMs: compareEveryMs, msMax: repairMsMax, signal }
  const trouble = await toTrouble(poll(isEqual, patience))
  return trouble && `${trouble}: ${difference}\n${site.words().join('\n').slice(-logShown)}`
}
