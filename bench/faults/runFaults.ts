import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '@chainboard/core'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { makeFolder } from '../children.ts'
import { measureSection } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { withDevnet } from '../withDevnet.ts'
import type { Kind, Lab } from './kind.ts'
import { startMarket } from './market.ts'
import { makeNetworks } from './networks.ts'
import { nodeTrials } from './openNodeTrial.ts'
import { postgresTrials, templateDatabase } from './postgresTrials.ts'
import { runRandom } from './randomStories.ts'
import { isGood, type Result, toCells, toSection } from './report.ts'
import { runTrial, waitUntilLive } from './runTrial.ts'
import { createSite, killSites } from './site.ts'
import { storageTrials } from './storageTrials.ts'

export const usage = `npm run bench -- faults [--only text] [--seconds n] [--lanes n] [--out file]
npm run bench -- faults --random n [--seed text] [--lanes n] [--out file]
  --only     faults whose names contain one of these texts, separated by commas; the document is not written then
  --seconds  that each fault lasts (default 18: silence counts after 15)
  --lanes    faults at the same time, besides one of PostgreSQL (default 3)
  --random   stories of random faults of the node instead, each on one of as many servers as there are lanes
  --seed     decides the stories (default: the time)
  --out      the document with the section "Faults" (default docs/reliability/faults.md)`

const root = resolve(import.meta.dirname, '../..')
const startMsMax = 60_000
const logShown = 2_500

/** Causes each fault of the node and the storage on a real server, and measures its effects. @throws CheckFailed for a fault that the server does not survive */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '18' },
      lanes: { type: 'string', default: '3' },
      random: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
      out: { type: 'string', default: join(root, 'docs/reliability/faults.md') },
    },
  })
  const faultMs = 1_000 * parseCount({ option: 'seconds', text: values.seconds, max: 600 })
  const lanes = parseCount({ option: 'lanes', text: values.lanes, max: 8 })
  if (values.random !== undefined) {
    const stories = parseCount({ option: 'random', text: values.random, max: 100_000 })
    return runRandom({ stories, lanes, seed: values.seed, out: values.out, signal })
  }
  const all = [...nodeTrials, ...storageTrials, ...postgresTrials]
  const wanted = values.only.toLowerCase().split(',')
  const kinds = all.filter(({ name }) => wanted.some((part) => name.toLowerCase().includes(part)))
  if (kinds.length === 0)
    throw new WrongOption(`--only: found ${values.only}, expected part of: ${all.map(({ name }) => name).join('; ')}`)
  const results: Result[] = []
  const out = values.only === '' ? values.out : undefined
  await measureSection({ name: 'faults', args: [], out }, async ({ machine, command }) => {
    results.push(...(await measureKinds(kinds, { faultMs, lanes, signal })))
    return toSection(results, { machine, command })
  })
  const bad = results.filter((each) => !isGood(each))
  if (bad.length > 0) throw new CheckFailed(`Not survived: ${bad.map(({ name }) => name).join('; ')}`)
}

type Order = { readonly faultMs: number; readonly lanes: number; readonly signal: AbortSignal }

/** @returns results in the order of the kinds */
function measureKinds(kinds: readonly Kind[], { faultMs, lanes, signal }: Order): Promise<Result[]> {
  return withDevnet({ history: 'short', live: false, signal }, async (devnet) => {
    const onPostgres = kinds.filter((kind) => postgresTrials.includes(kind))
    const postgres = onPostgres.length > 0 ? await startPostgres(signal) : undefined
    const lab = await openLab(devnet.rpcUrl, postgres, signal)
    const market = startMarket(devnet)
    const results: Result[] = []
    const measure = async (kind: Kind) => {
      const parts = { lab, market, faultMs, reorgs: kind.group === 'node', asksData: kind.outage ?? false }
      const result = await measureKind(kind, parts)
      results.push(result)
      console.log(`${results.length} of ${kinds.length}: ${toCells(result).join(' | ')}`)
      if (!isGood(result) && 'row' in result)
        console.log(`  ${result.row.difference}\n${result.row.log.slice(-logShown)}\n  (end of the log)`)
    }
    const runLane = async (lane: Iterable<Kind>) => {
      for (const kind of lane) await measure(kind)
    }
    try {
      // All share one PostgreSQL: its faults come one after the other, in a lane of their own.
      const queue = kinds.filter((kind) => !postgresTrials.includes(kind)).values()
      await Promise.all([onPostgres.values(), ...Array.from({ length: lanes }, () => queue)].map(runLane))
      return kinds.flatMap(({ name }) => results.filter((each) => each.name === name))
    } finally {
      killSites()
      await market.stop()
      await postgres?.stop()
    }
  })
}

async function measureKind(kind: Kind, parts: Parameters<typeof runTrial>[1]): Promise<Result> {
  const { group, name, outage = false } = kind
  const trial = await kind.open(parts.lab)
  if (typeof trial === 'string') return { group, name, skipped: trial }
  try {
    return { group, name, row: await runTrial(trial, parts), absence: trial.absence, outage }
  } catch (error) {
    parts.lab.signal.throwIfAborted()
    return { group, name, failed: messageOf(error) }
  }
}

/** Network files of an ordinary chain, and stores that were filled once. */
async function openLab(rpcUrl: string, postgres: Postgres | undefined, signal: AbortSignal): Promise<Lab> {
  const networksDir = makeNetworks()
  const template = makeFolder('faults-template')
  const settings = { RPC_URL: rpcUrl, DATA_DIR: template, NETWORKS_DIR: networksDir }
  await fill(settings, signal)
  if (postgres)
    await fill({ ...settings, ...toStoreEnv({ databaseUrl: await postgres.createDatabase(templateDatabase) }) }, signal)
  return { rpcUrl, chain: createViemChain([rpcUrl]), networksDir, template, postgres, signal }
}

async function fill(settings: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
  const site = await createSite(settings)
  await site.start()
  await waitUntilLive(site.url, { signal, msMax: startMsMax })
  await site.stop()
}
