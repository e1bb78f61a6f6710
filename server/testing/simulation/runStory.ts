import { createHash } from 'node:crypto'
import { type Act, forgetfulFaults, type Story } from './acts.ts'
import { type CommitCheck, createCommitCheck, type Violation } from './checkCommit.ts'
import { createClients } from './clients.ts'
import { compareIndex } from './compareIndex.ts'
import { createFaultyNode, type NodeAct, type RunningFault } from './faultyNode.ts'
import type { StoreFolder } from './faultyStore.ts'
import { guardGlobals } from './guardGlobals.ts'
import { createModelChain, type ModelChain } from './modelChain.ts'
import { createRandom, type Random } from './random.ts'
import { createSite, reorgDepthMaxOf, type Site } from './site.ts'
import { createVirtualClock, type VirtualClock } from './virtualClock.ts'

export type StoryResult = {
  readonly violation: (Violation & { readonly atMs: number }) | undefined
  /** How often each thing happened. */
  readonly noted: ReadonlyMap<string, number>
  /** Of everything that was asked and answered, in order. */
  readonly trace: string
  readonly events: number
  readonly virtualMs: number
}

/** What the parts of a running story share. */
export type Stage = {
  readonly story: Story
  readonly clock: VirtualClock
  readonly random: Random
  readonly chain: ModelChain
  readonly elsewhere: ModelChain
  readonly faults: RunningFault[]
  readonly file: string
  readonly check: CommitCheck
  note(what: string): void
  trace(what: string): void
  fail(violation: Violation): void
  failed(): boolean
}

/** An hour, and a day, begins within a story. */
const daySeconds = 1_700_006_400
/** After the faults: how long the chain still grows, and how long the server may take from then on. */
const calmMs = 20_000
/** What a node makes up is dated five minutes ahead at most, and past when the chain has made a block after it. */
const calmAfterMadeUpMs = 320_000
const recoveryMs = 300_000
/** What the index lacks has to be noticed so soon; looked at so often. */
const noticeMs = 300_000
const watchEveryMs = 10_000
/** Nodes that forget for longer may have done so at both readings of a block. */
const forgottenMsMax = 120_000
/** A reorg deeper than the network's limit is believed of one node after ten minutes. */
const deepReorgMs = 660_000

/** Plays one story through the server's own parts, to the first violation or the end. */
export async function runStory(story: Story, folder: StoreFolder): Promise<StoryResult> {
  const startSeconds = startOf(story)
  const clock = createVirtualClock(startSeconds * 1000)
  const random = createRandom(story.seed)
  const chain = growHistory(random.fork('chain'), story, 31_337)
  const noted = new Map<string, number>()
  const hash = createHash('sha1')
  let violation: StoryResult['violation']
  const note = (what: string) => {
    // Messages with their numbers would be as many as there are stories.
    const isMessage = what.startsWith('log: ') || what.startsWith('node refused')
    const name = isMessage ? what.replaceAll(/0x[0-9a-f]{6,}/g, '…').replaceAll(/\d+/g, 'n') : what
    noted.set(name, (noted.get(name) ?? 0) + 1)
  }
  const file = folder.newFile()
  const stage: Stage = {
    story,
    clock,
    random,
    chain,
    elsewhere: growHistory(random.fork('elsewhere'), { ...story, activity: 1 }, 8_453),
    faults: [],
    file,
    check: createCommitCheck({ file, chain, rewindMax: reorgDepthMaxOf(story), note }),
    note,
    trace: (what) => void hash.update(`${clock.nowMs()} ${what}\n`),
    fail: (found) => {
      violation ??= { ...found, atMs: clock.nowMs() - startSeconds * 1000 }
    },
    failed: () => violation !== undefined,
  }
  const drawn = random.fork('drawn by the server')
  const release = guardGlobals(clock.nowMs, (below) => drawn.int(0, below - 1))
  try {
    await play(stage, folder)
  } catch (error) {
    stage.fail({
      property: 'the simulation itself',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  } finally {
    release()
    stage.check.close()
  }
  return { violation, noted, trace: hash.digest('hex'), events: clock.events, virtualMs: clock.nowMs() - startSeconds * 1000 }
}

function startOf({ hourAtMs }: Story): number {
  return daySeconds - Math.ceil(hourAtMs / 1_000)
}

function growHistory(random: Random, story: Story, chainId: number): ModelChain {
  const { history, historySeconds, activity, quiet } = story
  const startSeconds = startOf(story)
  const chain = createModelChain({ random, chainId, activity, quiet, startSeconds: startSeconds - history * historySeconds })
  for (let i = 1; i <= history; i += 1) chain.mine(startSeconds - (history - i) * historySeconds)
  return chain
}

async function play(stage: Stage, folder: StoreFolder): Promise<void> {
  const { clock, story, failed } = stage
  const startMs = clock.nowMs()
  const site = createSite(stage, (node, isGone) =>
    createFaultyNode({
      clock,
      chain: stage.chain,
      elsewhere: stage.elsewhere,
      random: stage.random.fork(`node ${node}`),
      latencyMs: story.latencyMs,
      faults: () => stage.faults.filter(({ act }) => act.node === 'all' || act.node === node),
      note: stage.note,
      isGone,
    }),
  )
  const clients = createClients(stage, site)
  const growth = grow(stage)
  for (const act of story.acts) clock.after(act.atMs, () => perform(stage, act, { site, growth }))
  site.start()
  clients.start()
  const isBeyondNotice = watch(stage, site)
  await clock.runTo(startMs + story.forMs, failed)
  stage.faults.length = 0
  site.calm()
  clients.stop()
  const hasMet = (fault: NodeAct['fault']) => story.acts.some((act) => act.kind === 'node' && act.fault === fault)
  const hasLed = hasMet('ownBranch') || hasMet('falseReorg')
  await clock.runTo(startMs + story.forMs + (hasLed ? calmAfterMadeUpMs : calmMs), failed)
  if (hasLed) growth.mine(1)
  growth.stop()
  const calmAtMs = clock.nowMs()
  // Reorgs that the server slept through are one to it, and below the confirmations references are thin: the index may lose more
  // blocks than any one reorg did, and more than the limit.
  const depths = story.acts.reduce((sum, act) => sum + ('depth' in act ? Math.max(0, act.depth) : 0), 0)
  const isDeep = hasLed || depths > story.confirmations
  // What one node says of the times of old blocks is believed as late as its deep reorg, and may show after that.
  const deepWaits = (isDeep ? 1 : 0) + (hasMet('times') ? 1 : 0)
  await clock.runTo(
    calmAtMs + recoveryMs + deepWaits * deepReorgMs,
    () => failed() || (site.isCaughtUp() && (stage.check.isWhole() || isBeyondNotice()) && stage.check.isNamed()),
  )
  if (!failed() && !site.isCaughtUp()) stage.fail({ property: 'it catches up', detail: site.describe() })
  stage.note(clock.nowMs() - calmAtMs > 60_000 ? 'recovered within minutes' : 'recovered within a minute')
  if (!failed()) await clients.check()
  if (isBeyondNotice() && !stage.check.isWhole()) stage.note('lacks what no contract shows and all nodes had forgotten')
  else if (!failed()) await compareIndex(stage, folder)
  site.end()
}

/**
 * Fails a story whose index is not as the chain for minutes, and that says nothing of it.
 * @returns whether the index lacks only what no contract shows, after all nodes had forgotten it for as long as blocks are read again
 */
function watch({ story, faults, clock, check, fail, failed, note }: Stage, site: Site): () => boolean {
  let sinceMs: number | undefined
  let forgottenMs = 0
  const isForgetful = ({ act }: RunningFault) =>
    forgetfulFaults.some((fault) => fault === act.fault) && (act.node === 'all' || story.nodes === 1)
  const isBeyondNotice = () => forgottenMs > forgottenMsMax && check.lacksTracelessOnly()
  const look = () => {
    if (failed()) return
    if (faults.some(isForgetful)) forgottenMs += watchEveryMs
    if (check.isWhole() || !site.isCarefree() || isBeyondNotice()) sinceMs = undefined
    else sinceMs ??= clock.nowMs()
    if (sinceMs !== undefined) note('wrong, and not noticed yet')
    if (sinceMs !== undefined && clock.nowMs() - sinceMs > noticeMs)
      fail({ property: 'what is left out is noticed', detail: `the index is wrong for ${noticeMs} ms: ${site.describe()}` })
    else clock.after(watchEveryMs, look)
  }
  clock.after(watchEveryMs, look)
  return isBeyondNotice
}

type Growth = ReturnType<typeof grow>

/** Blocks come as the chain's clock wants it, a little early or late. */
function grow({ clock, story, chain, random, elsewhere }: Stage) {
  const draw = random.fork('growth')
  let growing = true
  let stalledUntilMs = 0
  const seconds = () => Math.max(chain.head().timestampSeconds + 1, Math.floor(clock.nowMs() / 1000))
  const next = () => {
    clock.after(Math.floor(story.blockMs * (0.7 + 0.6 * draw.next())), () => {
      if (!growing) return
      if (clock.nowMs() >= stalledUntilMs) {
        chain.mine(seconds())
        elsewhere.mine(elsewhere.head().timestampSeconds + 1)
      }
      next()
    })
  }
  next()
  return {
    stop: () => {
      growing = false
    },
    stall: (forMs: number) => {
      stalledUntilMs = clock.nowMs() + forMs
    },
    mine: (blocks: number) => {
      for (let i = 0; i < blocks; i += 1) chain.mine(seconds())
    },
  }
}

type Cast = { readonly site: ReturnType<typeof createSite>; readonly growth: Growth }

function perform(stage: Stage, act: Act, { site, growth }: Cast): void {
  const { story, clock, chain, faults, random, note, trace } = stage
  if (stage.failed() || act.atMs >= story.forMs) return
  trace(`act ${act.kind}`)
  switch (act.kind) {
    case 'node': {
      const fault = beginFault(act, chain, random.fork(`act ${act.id}`))
      faults.push(fault)
      clock.after(Math.min(act.forMs, story.forMs - act.atMs), () => {
        const at = faults.indexOf(fault)
        if (at >= 0) faults.splice(at, 1)
      })
      return
    }
    case 'reorg':
      note('reorg')
      chain.cut(act.depth)
      growth.mine(Math.max(1, act.depth + act.extra))
      return
    case 'stall':
      note('stall')
      growth.stall(act.forMs)
      return
    case 'burst':
      note('burst')
      growth.mine(act.blocks)
      return
    default:
      site.meet(act)
  }
}

function beginFault(act: NodeAct, chain: ModelChain, random: Random): RunningFault {
  const lead = act.fault === 'ownBranch' ? drawLead(random) : 0
  return { act, random, lead, tip: findTip(act, chain, random), seen: new Set() }
}

/** A branch may be as long as the chain, a little longer, or longer than any reorg is deep. */
const drawLead = (random: Random) => random.pick([() => 0, () => random.int(2, 20), () => random.int(65, 400)])()

function findTip({ fault, depth }: NodeAct, chain: ModelChain, random: Random) {
  if (fault === 'falseReorg') return chain.forge(depth, random.int(1, 4))
  return fault === 'ownBranch' ? chain.forge(depth, 0) : chain.head()
}
