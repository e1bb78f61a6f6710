import { toStatus } from '../../../api/toStatus.ts'
import { createNodeChain } from '../../../chain/viemChain.ts'
import { followChain } from '../../../indexer/followChain.ts'
import { openFaultyStore, openStoreFolder } from '../faultyStore.ts'
import { guardGlobals } from '../guardGlobals.ts'
import { createModelChain, type ModelBlock, type ModelChain } from '../modelChain.ts'
import { createRandom, type Random } from '../random.ts'
import { openWitness, toScope } from '../site.ts'
import { createVirtualClock, type VirtualClock } from '../virtualClock.ts'
import type { World } from './drawWorld.ts'
import { createWorldNode } from './worldNode.ts'

/** What an honest majority is promised, in seconds. */
export const promises = { falseLive: 90, off: 150, backAfter: 60 } as const

export type WorldOutcome = {
  /** What was promised and not kept, in words. */
  readonly breaches: readonly string[]
  /** The longest time at `live` on a block that is not of the chain, and off it or late, in seconds. */
  readonly falseLive: number
  readonly off: number
  /** From the end of the lies to `live` and true; undefined: never. */
  readonly backAfter: number | undefined
}

const startMs = 1_700_000_000_000
const history = 60
const calmSeconds = 300
/** The start of a server is no trouble. */
const startSeconds = 60
/** The index may be so far behind; a quick chain makes more blocks in the seconds. */
const late = { blocks: 3, seconds: 30 }

/**
 * Follows the world's chain with the server's own parts through its nodes, and looks every second. Needs the process to itself.
 * @param tell hears what the server says meanwhile
 */
export async function playWorld(world: World, tell: (text: string) => void = () => undefined): Promise<WorldOutcome> {
  const clock = createVirtualClock(startMs)
  const random = createRandom(world.seed)
  const drawn = random.fork('drawn by the server')
  const folder = await openStoreFolder()
  const release = guardGlobals(clock.nowMs, (below) => drawn.int(0, below - 1))
  try {
    return await play(world, { clock, random, tell, file: folder.newFile() })
  } finally {
    release()
    folder.remove()
  }
}

type Stage = {
  readonly clock: VirtualClock
  readonly random: Random
  readonly tell: (text: string) => void
  readonly file: string
}

async function play(world: World, { clock, random, tell, file }: Stage): Promise<WorldOutcome> {
  const { blockMs, confirmations, pollMs, liesEndAt } = world
  const nowSeconds = () => clock.nowMs() / 1_000
  const seconds = () => nowSeconds() - startMs / 1_000
  const { chain, tipAt } = growChain(world, { clock, random: random.fork('chain') })
  const nodes = world.nodes.map((node, place) =>
    createWorldNode(node, { clock, chain, random: random.fork(`node ${place}`), blockMs, tipAt, seconds, liesEndAt }),
  )
  const breaches: string[] = []
  const note = (text: string) => tell(`${seconds().toFixed(1)} s: ${text}`)
  const log = {
    info: () => undefined,
    warn: (facts: object, text: string) => note(`${text} ${JSON.stringify(facts)}`),
    error: (facts: object, text: string) => void breaches.push(`${text}: ${String((facts as { err?: unknown }).err)}`),
  }
  const chainOfAll = createNodeChain(
    nodes.map(({ toIndex }) => toIndex),
    { clock },
  )
  const { store } = openFaultyStore({
    ...{ clock, file, fate: () => undefined, writeMs: () => 0, isGone: () => false, onCommit: () => undefined },
  })
  const reorgDepthMax = Math.max(64, 2 * confirmations)
  const { forward, distrust, putLast, readHeader } = chainOfAll
  const factory = chain.factory as `0x${string}`
  const witness = openWitness({
    ...{ nodes: nodes.map(({ toOthers }) => toOthers), store, log, clock, forward, distrust, putLast, readHeader, factory },
    reorgDepthMax,
  })
  const follower = followChain({
    ...{ chain: chainOfAll, witness, store, log, scope: toScope(factory), chainId: chain.chainId, pause: clock.pause },
    limits: { startBlock: 0, confirmations, pollMs, spanMax: 2_000, reorgDepthMax, mayRestart: false },
    nowMs: clock.nowMs,
    onChange: () => undefined,
    holder: { world: undefined },
  })

  let [falseLive, off, falseNow, offNow] = [0, 0, 0, 0]
  let backAfter: number | undefined
  let toldBefore = ''
  const look = () => {
    const { cursor } = follower.status()
    const { state, reason } = toStatus({ followStatus: follower.status, nowSeconds })
    const isLive = state === 'live'
    const isTrue = cursor !== undefined && chain.isCanonical(cursor.hash)
    const lag = chain.head().number - (cursor?.number ?? 0)
    const told = `${state}${isTrue ? '' : ' (false)'} ${reason ?? ''}`
    if (told !== toldBefore) note(`${told} block ${cursor?.number} of ${chain.head().number}`)
    toldBefore = told
    falseNow = isTrue ? 0 : falseNow + 1
    offNow = isTrue && lag <= late.blocks + (late.seconds * 1_000) / blockMs ? 0 : offNow + 1
    if (seconds() > startSeconds) {
      if (isLive) falseLive = Math.max(falseLive, falseNow)
      off = Math.max(off, offNow)
    }
    if (isLive && isTrue && seconds() >= liesEndAt) backAfter ??= seconds() - liesEndAt
    clock.after(1_000, look)
  }
  clock.after(1_000, look)
  await clock.runTo(startMs + (liesEndAt + calmSeconds) * 1_000)
  const stopped = Promise.all([follower.stop(), witness.stop()])
  await Promise.race([stopped, clock.runTo(clock.nowMs() + 60_000)])

  if (falseLive > promises.falseLive) breaches.push(`live on a false block for ${falseLive} s`)
  if (off > promises.off) breaches.push(`off the chain, or late, for ${off} s`)
  if (backAfter === undefined || backAfter > promises.backAfter)
    breaches.push(`not live after ${backAfter ?? calmSeconds} s of truth`)
  return { breaches, falseLive, off, backAfter }
}

type Grown = { readonly chain: ModelChain; readonly tipAt: (atMs: number) => ModelBlock }

/** A chain that grows by the clock, and what its newest block was when. */
function growChain({ blockMs, reorgMax }: World, { clock, random }: Pick<Stage, 'clock' | 'random'>): Grown {
  const toSeconds = (ms: number) => Math.floor(ms / 1_000)
  const first = startMs - history * blockMs
  const chain = createModelChain({
    ...{ random: random.fork('blocks'), chainId: 31_337, activity: 0.3, quiet: true, startSeconds: toSeconds(first) - 1 },
  })
  for (let i = 1; i <= history; i += 1) chain.mine(toSeconds(first + i * blockMs))
  let tips = [{ atMs: Number.NEGATIVE_INFINITY, tip: chain.head() }]
  const grow = () => {
    const { timestampSeconds } = chain.head()
    if (reorgMax > 0 && random.chance(Math.min(0.1, blockMs / 60_000))) {
      const depth = random.int(1, reorgMax)
      chain.cut(depth)
      for (let i = 0; i < depth; i += 1) chain.mine(timestampSeconds)
    }
    chain.mine(Math.max(timestampSeconds, toSeconds(clock.nowMs())))
    tips = [...tips.slice(-1_000), { atMs: clock.nowMs(), tip: chain.head() }]
    clock.after(blockMs * (0.5 + random.next()), grow)
  }
  clock.after(blockMs, grow)
  return { chain, tipAt: (atMs) => (tips.findLast((each) => each.atMs <= atMs) ?? tips[0])?.tip ?? chain.head() }
}
