import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@chainboard/contract'
import { Type } from 'typebox'
import { at } from '../../devnet/at.ts'
import { type FabricatedChain, type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import type { PublicNodeLimits } from '../../server/testing/fabricated/publicNode.ts'
import type { ModelToken } from '../../server/testing/simulation/modelMarket.ts'
import { fetchJson, readJson } from '../checkShape.ts'
import { chainSchema } from '../fabricatedFacts.ts'
import { startServer } from '../history/measureHistory.ts'
import { writeOldNetwork } from '../start/writeOldNetwork.ts'
import { poll } from '../waiting.ts'
import { type Comparison, compareStores } from './compareStores.ts'
import { fillIndex } from './fillIndex.ts'
import type { LogCall } from './nodeMessages.ts'
import { type Node, startNode } from './startNode.ts'
import { type Served, watchRest } from './watchRest.ts'
import { type Seen, watchToken } from './watchToken.ts'

/** Seconds that the site is watched for before the token is added. */
const quietSeconds = 30
const headMsMax = 600_000
const blocksToEnd = 4
const othersAsked = 20
/** Tokens that trade more than the one that is added. */
const busierMin = 12

/** A site with a full index, to which a token is added. */
export type Case = {
  readonly name: string
  readonly chain: FabricatedOptions
  readonly limits: PublicNodeLimits
  /** Whether the wrapped coin is listed: its pools with every token are in the index then. */
  readonly listsQuotes: boolean
  /** How long to wait until all blocks are valued, after the figures are right. */
  readonly minutes: number
  /** For what is kept of it: a second run uses the same indexes again. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** What was seen of the token, and of the rest of the site. */
export type Measured = {
  readonly swaps: number
  readonly seen: Seen
  readonly quiet: Served
  readonly busy: Served
  /** Calls for logs in the quiet time, and while the token was added. */
  readonly quietCalls: Calls
  readonly calls: Calls
  /** Undefined where not all blocks were valued. */
  readonly comparison: Comparison | undefined
}

/** What was read of blocks before the token was added. */
export type Calls = {
  /** Of the factory and pools of the added token alone. */
  readonly own: number
  readonly ownBlocks: number
  readonly ownContracts: number
  /** Of anything else. */
  readonly others: number
}

type Names = { readonly first: readonly ModelToken[]; readonly added: ModelToken }

function pickTokens(chain: FabricatedChain, listsQuotes: boolean): Names {
  const [usdc, native] = [at(chain.listed, 0), at(chain.listed, 1)]
  const tokens = chain.listed.slice(2)
  // A token of an even place has a pool with the next one, which is never listed here, and one with a quote: the wrapped coin.
  const hasNative = (i: number) =>
    [chain.pools[i + 1]?.stateAfter(0)].some((pool) => pool?.token0 === native.address || pool?.token1 === native.address)
  const place = tokens.findIndex((_, i) => i >= busierMin && i % 2 === 0 && hasNative(i))
  const added = at(tokens, place)
  const others = tokens.filter((_, i) => i % 2 === 1 && i !== place + 1)
  return { first: [usdc, ...(listsQuotes ? [native] : []), ...others], added }
}

/** Adds a token to a site with a full index, and compares it with a site whose index was made from scratch with the token. */
export async function measureCase(facts: Case): Promise<Measured> {
  const { folder, signal, limits } = facts
  const kept = join(folder, 'facts.json')
  const options = existsSync(kept) ? readJson(chainSchema, kept) : facts.chain
  const chain = fabricateChain(options)
  const { first, added } = pickTokens(chain, facts.listsQuotes)
  const sites = {
    own: openFolder(join(folder, 'own'), { ...chain, listed: first }),
    scratch: openFolder(join(folder, 'scratch'), { ...chain, listed: [...first, added] }),
  }
  const filled = join(folder, 'filled.json')
  if (!existsSync(filled)) {
    const swaps: number[] = []
    for (const [name, site] of Object.entries(sites)) {
      const from = performance.now()
      swaps.push(await fillIndex(chain, site, signal))
      console.log(`${facts.name}: index "${name}" of ${swaps.at(-1)} swaps made in ${seconds(from)} s`)
      cpSync(site.file, `${site.file}.kept`)
    }
    writeFileSync(kept, JSON.stringify(options))
    writeFileSync(filled, JSON.stringify(swaps))
  } else for (const { file } of Object.values(sites)) cpSync(`${file}.kept`, file)
  const swaps = at(readJson(Type.Array(Type.Integer()), filled), 0)

  const nodes = [
    await startNode({ chain: options, limits }, signal),
    await startNode({ chain: options, limits: { tellsTimes: true } }, signal),
  ] as const
  const [own, scratch] = [
    await startServer({ settings: sites.own.env, signal }, nodes[0].url),
    await startServer({ settings: sites.scratch.env, signal }, nodes[1].url),
  ]
  const rest = watchRest(
    own.url,
    first.slice(1, 1 + othersAsked).map(({ address }) => address),
  )
  try {
    await nodes[0].takeCalls()
    rest.take()
    await sleep(quietSeconds * 1_000, undefined, { signal })
    const quietLogs = (await nodes[0].takeCalls()).logs
    const quiet = rest.take()
    const status = await readStatus(own.url)
    writeOldNetwork(sites.own.folder, { ...chain, listed: [...first, added] })
    const seen = await watchToken(own, scratch, {
      token: added.address,
      fromMs: performance.now(),
      minutes: facts.minutes,
      signal,
    })
    const busyLogs = (await nodes[0].takeCalls()).logs
    const busy = rest.take()
    await rest.stop()
    await endTogether(nodes, [own.url, scratch.url], signal)
    await Promise.all([own.server.stop(), scratch.server.stop()])
    const told = { chain, before: status.block ?? 0, added: added.address }
    const comparison = seen.phases.has('whole') ? compareStores(sites.own.file, sites.scratch.file) : undefined
    return { swaps, seen, quiet, busy, quietCalls: sortCalls(quietLogs, told), calls: sortCalls(busyLogs, told), comparison }
  } finally {
    await rest.stop()
    await Promise.all([own.server.stop(), scratch.server.stop(), ...nodes.map((node) => node.stop())])
  }
}

const seconds = (fromMs: number) => ((performance.now() - fromMs) / 1_000).toFixed(0)

function openFolder(folder: string, chain: FabricatedChain) {
  mkdirSync(folder, { recursive: true })
  const networksDir = writeOldNetwork(folder, chain)
  const env = {
    ...{
      NETWORKS_DIR: networksDir,
      NETWORK: 'old',
      DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
    RPC_URL: 'http://127.0.0.1:9',
  }
  return { folder, networksDir, env, file: join(folder, 'data', 'old', 'chainboard.db') }
}

/** Lets both chains end with the same block, and waits until both indexes do. */
async function endTogether(nodes: readonly Node[], urls: readonly string[], signal: AbortSignal): Promise<void> {
  const end = (await at(nodes, 0).endAt(Number.MAX_SAFE_INTEGER)) + blocksToEnd
  for (const each of nodes) await each.endAt(end)
  const isThere = async () => {
    const blocks = await Promise.all(urls.map(async (url) => (await readStatus(url)).block))
    return blocks.every((block) => block === end) || undefined
  }
  await poll(isThere, { what: 'the last block', everyMs: 200, msMax: headMsMax, signal })
}

function readStatus(url: string) {
  return fetchJson(routes.getStatus.schema.response[200], `${url}/api/status`)
}

type Told = { readonly chain: FabricatedChain; readonly before: number; readonly added: string }

function sortCalls(logs: readonly LogCall[], { chain, before, added }: Told): Calls {
  const pools = chain.pools.filter(({ stateAfter }) => [stateAfter(0).token0, stateAfter(0).token1].includes(added))
  const mine = new Set([chain.factory, ...pools.map(({ address }) => address)])
  const old = logs.filter(({ from }) => from < before - blocksNear)
  const own = old.filter(({ addresses }) => addresses?.every((address) => mine.has(address)))
  return {
    own: own.length,
    ownBlocks: own.reduce((sum, { from, to }) => sum + to - from + 1, 0),
    ownContracts: new Set(own.flatMap(({ addresses }) => addresses ?? [])).size,
    others: old.length - own.length,
  }
}

/** Around the head everything is read, more than once. */
const blocksNear = 200
