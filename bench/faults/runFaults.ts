import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { makeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
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
  --only     kinds with one of these texts, split by commas, in their names; the document is not written then
  --seconds  how long each fault lasts (default 18: silence counts after 15)
  --lanes    kinds at a time, besides one of PostgreSQL (default 3)
  --random   instead: so many stories of random faults of the node, each on one of so many servers as there are lanes
  --seed     what draws them (default: the time)
  --out      the document whose section "Faults" is written (default docs/reliability.md)`

const root = resolve(import.meta.dirname, '../..')
const startMsMax = 60_000
const logShown = 2_500

/** Makes each fault of the node and the storage on a real server, and measures what comes of it. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '18' },
      lanes: { type: 'string', default: '3' },
      random: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
      out: { type: 'string', default: join(root, 'docs/reliability.md') },
    },
  })
  const faultMs = 1_000 * parseCount({ option: 'seconds', text: values.seconds, max: 600, usage })
  const lanes = parseCount({ option: 'lanes', text: values.lanes, max: 8, usage })
  if (values.random !== undefined) {
    const stories = parseCount({ option: 'random', text: values.random, max: 100_000, usage })
    return runRandom({ stories, lanes, seed: values.seed, out: values.out, signal })
  }
  const all = [...nodeTrials, ...storageTrials, ...postgresTrials]
  const wanted = values.only.toLowerCase().split(',')
  const kinds = all.filter(({ name }) => wanted.some((part) => name.toLowerCase().includes(part)))
  if (kinds.length === 0)
    throw new Error(`--only: found ${values.only}, wanted part of: ${all.map(({ name }) => name).join('; ')}`)
  const machine = describeMachine()
  const devnet = await startDevnet({
    history: 'short',
    live: false,
    signal,
    onProgress: (text) => console.log(`devnet: ${text}`),
  })
  const postgres = kinds.some((kind) => postgresTrials.includes(kind)) ? await startPostgres(signal) : undefined
  const lab = await openLab(devnet.rpcUrl, postgres, signal)
  const market = startMarket(devnet)
  try {
    const results: Result[] = []
    const measure = async (kind: Kind) => {
      const result = await measureKind(kind, {
        lab,
        market,
        faultMs,
        reorgs: kind.group === 'node',
        asksData: kind.outage ?? false,
      })
      results.push(result)
      console.log(`${results.length} of ${kinds.length}: ${toCells(result).join(' | ')}`)
      if (!isGood(result) && 'row' in result)
        console.log(`  ${result.row.difference}\n${result.row.log.slice(-logShown)}\n  (end of the log)`)
    }
    // PostgreSQL is one for all of them: its faults come one after the other, in a lane of their own.
    const onPostgres = kinds.filter((kind) => postgresTrials.includes(kind))
    const queue = kinds.filter((kind) => !postgresTrials.includes(kind)).values()
    const queues = [onPostgres.values(), ...Array.from({ length: lanes }, () => queue)]
    const runLane = async (lane: Iterable<Kind>) => {
      for (const kind of lane) await measure(kind)
    }
    await Promise.all(queues.map(runLane))
    const inOrder = kinds.flatMap(({ name }) => results.filter((each) => each.name === name))
    const section = toSection(inOrder, { machine: machine.words, command: 'npm run bench -- faults' })
    console.log(`\n${section}`)
    if (values.only === '') writeSection(values.out, 'faults', section)
    const bad = results.filter((each) => !isGood(each))
    if (bad.length > 0) throw new Error(`Not survived: ${bad.map(({ name }) => name).join('; ')}`)
  } finally {
    killSites()
    await market.stop()
    await devnet.stop()
    await postgres?.stop()
  }
}

async function measureKind(kind: Kind, parts: Parameters<typeof runTrial>[1]): Promise<Result> {
  const { group, name, outage = false } = kind
  const trial = await kind.open(parts.lab)
  if (typeof trial === 'string') return { group, name, skipped: trial }
  try {
    return { group, name, row: await runTrial(trial, parts), absence: trial.absence, outage }
  } catch (error) {
    parts.lab.signal.throwIfAborted()
    return { group, name, failed: (error as Error).message }
  }
}

/** Network files of a chain that is like any other, and stores that were filled once. */
async function openLab(rpcUrl: string, postgres: Postgres | undefined, signal: AbortSignal): Promise<Lab> {
  const networksDir = makeNetworks()
  const template = makeFolder('faults-template')
  const settings = { RPC_URL: rpcUrl, DATA_DIR: template, NETWORKS_DIR: networksDir }
  await fill(settings, signal)
  if (postgres) await fill({ ...settings, DATABASE_URL: await postgres.createDatabase(templateDatabase) }, signal)
  return { rpcUrl, chain: createViemChain([rpcUrl]), networksDir, template, postgres, signal }
}

async function fill(settings: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
  const site = await createSite(settings)
  await site.start()
  await waitUntilLive(site.url, { signal, msMax: startMsMax })
  await site.stop()
}
