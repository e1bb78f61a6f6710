import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@chainboard/core'
import { NotMeasured } from '../notMeasured.ts'
import { readHoldings, readMoves } from './holdings.ts'
import { capitalUsd, costUsd } from './money.ts'
import { type OpenedStage, openStage } from './openStage.ts'
import { playControl } from './playControl.ts'
import type { SiteReader } from './readSite.ts'
import type { Sample } from './sample.ts'
import type { Attack } from './stage.ts'
import { compareStored } from './valueChain.ts'
import { type Evidence, type Judgement, judge, needsControl, type StoredDollars } from './verdict.ts'
import { withServer } from './withServer.ts'

/** What an attack cost, and what it achieved. */
export type AttackResult = {
  readonly attack: Attack
  readonly costUsd: number
  readonly capitalUsd: number
  readonly judgement: Judgement
}

/** Blocks before the attack and after it, then ten minutes more, after which prices over time no longer contain it. */
const wholeLook = { calmBlocks: 12, blocks: 20, slowBlocks: 28, everySeconds: 20 }
const quickLook = { calmBlocks: 4, blocks: 3, slowBlocks: 0, everySeconds: 20 }
const hour = 3_600
/** The server checks once per second whether to simulate a sale: the chain waits for it. */
const simulatedPaceMs = 1_200

/** `quick`: few blocks after the attack. */
type Options = { readonly seed: string; readonly quick: boolean; readonly signal: AbortSignal }

/**
 * Plays one attack on its own chain and server. Where it may have gained confidence or a place, it also plays the control: the same chain
 * without the attack.
 * @throws NotMeasured when the attack cannot be played
 */
export async function runAttack(attack: Attack, { seed, quick, signal }: Options): Promise<AttackResult> {
  const stage = await openStage({ seed, signal })
  try {
    const unwatched = async () => {
      throw new NotMeasured('the server was not started yet')
    }
    await attack.prepare?.({ ...stage, checkDollars: unwatched })
    const watchedFrom = stage.timeline().length
    const list = {
      made: stage.madeTokens().filter(({ symbol }) => !attack.unlisted?.includes(symbol)),
      stables: attack.stables ?? [],
    }
    const { evidence, costUsd, capitalUsd } = await withServer(stage, { list, signal }, (reader) =>
      playAndWatch(attack, { stage, reader, look: quick ? quickLook : wholeLook }),
    )
    if (!needsControl(evidence)) return { attack, costUsd, capitalUsd, judgement: judge(evidence) }
    const control = await playControl(stage, { watchedFrom, signal, calmBlocks: evidence.before.length })
    return { attack, costUsd, capitalUsd, judgement: judge({ ...evidence, control }) }
  } catch (error) {
    signal.throwIfAborted()
    throw new NotMeasured(`${attack.name}: ${messageOf(error)}`, { cause: error })
  } finally {
    await stage.close()
  }
}

type Parts = { readonly stage: OpenedStage; readonly reader: SiteReader; readonly look: typeof wholeLook }
type Played = Pick<AttackResult, 'costUsd' | 'capitalUsd'> & { readonly evidence: Evidence }

async function playAndWatch(attack: Attack, { stage, reader, look }: Parts): Promise<Played> {
  const samples: Sample[] = []
  stage.watch(async (head) => void samples.push(await reader.sample(head, stage.honest)))
  for (let i = 1; i < look.calmBlocks; i += 1) await stage.block()
  await reader.waitForOrigins()
  await stage.block()
  const fromSeconds = stage.seconds() - (stage.seconds() % (24 * hour)) - 24 * hour
  const start = { block: (await stage.head()).number, stored: await reader.readStored(fromSeconds) }
  const stored: StoredDollars[] = []
  const checkDollars = async () => {
    const parts = {
      rpc: stage.rpc,
      pools: stage.pools(),
      honest: stage.honest,
      made: new Set(stage.madeTokens().map(({ symbol }) => symbol)),
      start,
    }
    stored.push(...(await compareStored(await reader.readStored(fromSeconds), parts)))
  }

  const positions = attack.positions?.({ ...stage, checkDollars }) ?? []
  const [held, before] = [await readHoldings(stage, positions), samples.splice(0)]
  await attack.play({ ...stage, checkDollars })
  const left = await readHoldings(stage, positions)
  const worth = withoutOwn(stage.honest.prices(), stage)
  const moves = await readMoves(stage, start.block)

  for (let i = 0; i < look.blocks; i += 1) await stage.block()
  for (let i = 0; i < look.slowBlocks; i += 1) {
    if (attack.isFoundBySales) await sleep(simulatedPaceMs)
    await stage.block([], look.everySeconds)
  }
  if (!attack.lowersOrganic) await reader.waitForOrigins()
  await stage.block()
  await checkDollars()
  const cost = costUsd(held, left, worth)
  return {
    costUsd: cost,
    capitalUsd: capitalUsd(moves, worth),
    evidence: { ...attack, before, during: samples, stored, costUsd: cost },
  }
}

/** The attacker's own tokens are worth nothing to it; the coin has the price of its wrapped form. */
function withoutOwn(prices: ReadonlyMap<string, number>, stage: OpenedStage): ReadonlyMap<string, number> {
  const own = new Set(stage.madeTokens().map(({ symbol }) => symbol))
  const worth = [...prices].filter(([symbol]) => !own.has(symbol))
  return new Map([...worth, ['coin', prices.get('WEMB') ?? 0] as const])
}
