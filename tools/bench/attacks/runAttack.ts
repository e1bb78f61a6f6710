import { join, resolve } from 'node:path'
import { makeFolder, removeFolder } from '../children.ts'
import { createSite, type Site } from '../faults/site.ts'
import { readHoldings, readMoves } from './holdings.ts'
import { capitalUsd, costUsd } from './money.ts'
import { type OpenedStage, openStage } from './openStage.ts'
import { createSiteReader, type SiteReader } from './readSite.ts'
import type { Sample } from './sample.ts'
import type { Attack } from './stage.ts'
import { compareStored } from './valueChain.ts'
import { type Judgement, judge, type StoredDollars } from './verdict.ts'
import { writeNetwork } from './writeNetwork.ts'

export type AttackResult = {
  readonly attack: Attack
  readonly costUsd: number
  readonly capitalUsd: number
  readonly judgement: Judgement
}

/** Nobody waits for the server's end, and its TypeScript is compiled once for all attacks. */
const quickStart = { DRAIN_SECONDS: '0', NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../../node_modules/.cache/node') }
/** Blocks before the attack and after it: then ten minutes more, in which a price over time forgets it. */
const wholeLook = { calmBlocks: 12, blocks: 20, slowBlocks: 28, everySeconds: 20 }
const quickLook = { calmBlocks: 4, blocks: 3, slowBlocks: 0, everySeconds: 20 }
const hour = 3_600

/** `quick`: hardly looks at what comes after the attack. */
type Options = { readonly seed: string; readonly quick: boolean; readonly signal: AbortSignal }

/** Plays one attack on a chain and a server of its own. @throws Error when the attack cannot be played */
export async function runAttack(attack: Attack, { seed, quick, signal }: Options): Promise<AttackResult> {
  const stage = await openStage({ seed, signal })
  const folder = makeFolder('attacks')
  let site: Site | undefined
  let reader: SiteReader | undefined
  try {
    const unwatched = async () => {
      throw new Error('the server was not started yet')
    }
    await attack.prepare?.({ ...stage, checkDollars: unwatched })
    const networksDir = writeNetwork(folder, { made: stage.madeTokens(), stables: attack.stables ?? [] })
    const data = join(folder, 'data')
    const settings = { RPC_URL: stage.rpcUrl, DATA_DIR: data, NETWORKS_DIR: networksDir, LOG_LEVEL: 'warn' }
    site = await createSite({ ...settings, ...quickStart })
    await site.start()
    reader = createSiteReader(site.url, signal)
    return await playAndWatch(attack, { stage, reader, look: quick ? quickLook : wholeLook })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(`${attack.name}: ${(error as Error).message}\n${site?.words().join('\n').slice(-2_000) ?? ''}`, {
      cause: error,
    })
  } finally {
    reader?.close()
    await site?.stop()
    await stage.close()
    removeFolder(folder)
  }
}

type Parts = { readonly stage: OpenedStage; readonly reader: SiteReader; readonly look: typeof wholeLook }

async function playAndWatch(attack: Attack, { stage, reader, look }: Parts): Promise<AttackResult> {
  const samples: Sample[] = []
  stage.watch(async (head) => void samples.push(await reader.sample(head, stage.honest)))
  for (let i = 0; i < look.calmBlocks; i += 1) await stage.block()
  const fromSeconds = stage.seconds() - (stage.seconds() % (24 * hour)) - 24 * hour
  const start = { block: (await stage.head()).number, stored: await reader.readStored(fromSeconds) }
  const stored: StoredDollars[] = []
  const checkDollars = async () => {
    const parts = { rpc: stage.rpc, pools: stage.pools(), honest: stage.honest, start }
    stored.push(...(await compareStored(await reader.readStored(fromSeconds), parts)))
  }

  const positions = attack.positions?.({ ...stage, checkDollars }) ?? []
  const [held, before] = [await readHoldings(stage, positions), samples.splice(0)]
  await attack.play({ ...stage, checkDollars })
  const left = await readHoldings(stage, positions)
  const worth = withoutOwn(stage.honest.prices(), stage)
  const moves = await readMoves(stage, start.block)

  for (let i = 0; i < look.blocks; i += 1) await stage.block()
  for (let i = 0; i < look.slowBlocks; i += 1) await stage.block([], look.everySeconds)
  await checkDollars()
  return {
    attack,
    costUsd: costUsd(held, left, worth),
    capitalUsd: capitalUsd(moves, worth),
    judgement: judge({ targets: attack.targets, before, during: samples, stored }),
  }
}

/** What the attacker made itself is worth nothing to it; the coin is worth what its wrapped form is. */
function withoutOwn(prices: ReadonlyMap<string, number>, stage: OpenedStage): ReadonlyMap<string, number> {
  const own = new Set(stage.madeTokens().map(({ symbol }) => symbol))
  const worth = [...prices].filter(([symbol]) => !own.has(symbol))
  return new Map([...worth, ['coin', prices.get('WEMB') ?? 0] as const])
}
