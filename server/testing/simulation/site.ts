import type { Address } from '@chainboard/core'
import type { RpcNode } from '../../chain/rpcNode.ts'
import { createNodeChain } from '../../chain/viemChain.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from '../../indexer/decodeLog.ts'
import { type Follower, followChain } from '../../indexer/followChain.ts'
import type { IndexScope } from '../../indexer/indexScope.ts'
import { keepRevaluing } from '../../indexer/keepRevaluing.ts'
import type { WorldHolder } from '../../indexer/worldHolder.ts'
import type { Store } from '../../store/store.ts'
import { createWitness, type WitnessDeps } from '../../witness/createWitness.ts'
import type { Witness } from '../../witness/witness.ts'
import { type Act, honestFaults, type StoreFault, type Story } from './acts.ts'
import { type FaultyStore, openFaultyStore } from './faultyStore.ts'
import { addressOf } from './modelLogs.ts'
import { native, usdc } from './modelMarket.ts'
import type { Stage } from './runStory.ts'
import type { VirtualClock } from './virtualClock.ts'

/** One life of the process, from a start to its end. */
export type Life = {
  readonly store: Store
  readonly faulty: FaultyStore
  readonly follower: Follower
  gone: boolean
  stopping: boolean
}

type IsGone = (side: 'before' | 'after') => boolean
type CrashAct = Act & { readonly kind: 'crash' }
type StoreAct = Act & { readonly kind: 'store' }

/** The server's parts, put together as `startServer` does, on the story's nodes, store and clock. Dies and starts again. */
export type Site = {
  start(): void
  /** A crash, a restart or a fault of the store. */
  meet(act: CrashAct | StoreAct | (Act & { readonly kind: 'restart' })): void
  /** No fault of the store any more, and no crash. */
  calm(): void
  life(): Life | undefined
  isCaughtUp(): boolean
  /** Whether nothing is said to be wrong: no trouble, no suspicion, no doubt. */
  isCarefree(): boolean
  describe(): string
  end(): void
}

export function toScope(factory: string): IndexScope {
  const valuation = {
    stables: [usdc.address as Address],
    wrappedNative: native.address as Address,
    depthFloorUsdE18: 1_000n * 10n ** 18n,
    quotes: [],
    windowSeconds: 600,
  }
  return { factory: factory as Address, onlyTokens: undefined, valuation }
}

/** As a network file's, when it says nothing. */
export function reorgDepthMaxOf({ confirmations }: Story): number {
  return 2 * confirmations
}

export function createSite(stage: Stage, createNode: (node: number, isGone: IsGone) => RpcNode): Site {
  const { clock, story, chain, random, note, trace, fail } = stage
  const disk = random.fork('disk')
  const crashes: { act: CrashAct; skip: number }[] = []
  const faults: { act: StoreAct; skip: number; untilMs: number; hits: number }[] = []
  const lives: Life[] = []
  let life: Life | undefined

  const die = (dying: Life, downMs: number) => {
    if (dying.gone) return
    dying.gone = true
    dying.faulty.cut()
    life = undefined
    clock.after(downMs, start)
  }
  const isGone =
    (wheres: readonly CrashAct['where'][], of: () => Life | undefined, what: string) => (side: 'before' | 'after') => {
      const at = of()
      if (!at || at.gone) return true
      for (const crash of crashes) {
        if (!wheres.includes(crash.act.where) || crash.act.side !== side) continue
        crash.skip -= 1
        if (crash.skip >= 0) continue
        crashes.splice(crashes.indexOf(crash), 1)
        note(`crash ${side} ${what}`)
        trace('crash')
        die(at, crash.act.downMs)
        return true
      }
      return false
    }
  const fate = (side: 'read' | 'write', sql: string): StoreFault | undefined => {
    for (const fault of faults) {
      const { fault: kind } = fault.act
      if (!concerns(kind, side, sql)) continue
      fault.skip -= 1
      if (fault.skip >= 0) continue
      const lasts = fault.act.forMs > 0
      if (lasts ? clock.nowMs() >= fault.untilMs : fault.hits > 0) continue
      fault.hits += 1
      note(`store: ${kind}${lasts ? ' for a while' : ''}`)
      trace(`store ${kind}`)
      return kind
    }
    return undefined
  }

  function start(): void {
    if (life || stage.failed()) return
    const mine: { life?: Life } = {}
    const of = () => mine.life
    const faulty = openFaultyStore({
      clock,
      file: stage.file,
      fate: (side, sql) => {
        trace(sql)
        return fate(side, sql)
      },
      writeMs: () => (disk.chance(0.7) ? 0 : disk.int(1, 4)),
      isGone: (side, sql) => isGone(sql === 'commit' ? ['store', 'commit'] : ['store'], of, describeSql(sql))(side),
      onCommit: (alone) => {
        const found = stage.check.look(alone)
        if (found) fail(found)
      },
    })
    const nodes = Array.from({ length: story.nodes }, (_, i) => createNode(i, isGone(['node'], of, 'a call of the node')))
    mine.life = { store: faulty.store, faulty, gone: false, stopping: false, follower: undefined as unknown as Follower }
    life = mine.life
    const asked = nodes.map((node, i) => traced(node, i, trace))
    const log = toLog(stage, () => of()?.gone ?? false)
    const chainOfAll = createNodeChain(asked, { clock })
    const { forward } = chainOfAll
    const factory = chain.factory as Address
    const distrust = (place: number) => {
      alarm(stage, 'distrusted a node')
      chainOfAll.distrust?.(place)
    }
    const reorgDepthMax = reorgDepthMaxOf(story)
    const witnessed = {
      nodes: asked,
      store: faulty.store,
      log,
      clock,
      forward,
      distrust,
      putLast: chainOfAll.putLast,
      readHeader: chainOfAll.readHeader,
      factory,
      reorgDepthMax,
    }
    const deps = {
      chain: chainOfAll,
      witness: alarming(stage, openWitness(witnessed)),
      store: faulty.store,
      limits: {
        startBlock: 0,
        confirmations: story.confirmations,
        pollMs: story.pollMs,
        spanMax: story.spanMax,
        reorgDepthMax,
        mayRestart: false,
      },
      scope: toScope(chain.factory),
      chainId: chain.chainId,
      log,
      pause: clock.pause,
      nowMs: clock.nowMs,
      onChange: () => undefined,
    }
    note('start')
    const holder: WorldHolder = { world: undefined }
    const follower = followChain({ ...deps, holder })
    const misled = story.acts.some((act) => act.kind === 'node' && act.fault === 'tokens')
    const { valuation } = deps.scope
    const revaluing = misled
      ? keepRevaluing({ ...deps, valuation, holder, isOurs: () => true, onDone: () => undefined })
      : undefined
    const stop = async () => {
      await revaluing?.stop()
      await follower.stop()
    }
    lives.push(Object.assign(mine.life, { follower: { ...follower, stop } }))
  }

  return {
    start,
    life: () => (life && !life.stopping ? life : undefined),
    meet: (act) => {
      if (act.kind === 'crash') crashes.push({ act, skip: act.skip })
      else if (act.kind === 'store') faults.push({ act, skip: act.skip, untilMs: clock.nowMs() + act.forMs, hits: 0 })
      else if (life && !life.stopping) {
        const stopping = life
        stopping.stopping = true
        note('restart')
        void stopping.follower.stop().then(() => die(stopping, act.downMs))
      }
    },
    calm: () => {
      crashes.length = 0
      faults.length = 0
    },
    isCaughtUp: () => {
      const status = life?.follower.status()
      return status !== undefined && status.cursor?.hash === chain.head().hash && status.trouble === undefined && status.complete
    },
    isCarefree: () => {
      const { trouble, verification } = life?.follower.status() ?? {}
      if (!verification || trouble) return false
      const { suspects, doubts, wrongBlock, unsure } = verification
      return unsure === undefined && suspects === 0 && doubts.length === 0 && wrongBlock === undefined
    },
    describe: () => {
      if (!life) return 'the process is down'
      const { cursor, head, trouble, complete } = life.follower.status()
      return `index at ${cursor?.number}, head seen ${head}, true head ${chain.head().number}, complete ${complete}, trouble: ${trouble?.text}`
    },
    end: () => {
      if (life) {
        life.gone = true
        life.faulty.cut()
        life = undefined
      }
      // What a dead process waits for never comes: its signals would keep their listeners, and Node keeps a signal that has some, with
      // the whole story.
      for (const { follower } of lives) void follower.stop()
    },
  }
}

function concerns(fault: StoreFault, side: 'read' | 'write', sql: string): boolean {
  if (fault === 'away') return true
  if (fault === 'readError') return side === 'read'
  if (fault === 'commitLost') return side === 'write' && sql === 'commit'
  return side === 'write'
}

/** The witness has taken a node for a liar: in a story in which none lies, that is a failure of its own. */
function alarm({ story, note, fail }: Stage, what: string): void {
  note(`witness: ${what}`)
  const isHonest = story.acts.every((act) => act.kind !== 'node' || honestFaults.some((fault) => fault === act.fault))
  if (isHonest) fail({ property: 'no false alarm', detail: `the witness ${what}, and no node lied` })
}

function alarming(stage: Stage, witness: Witness): Witness {
  return {
    ...witness,
    repaired: (block) => {
      alarm(stage, 'took the index back')
      witness.repaired(block)
    },
    caught: (block) => {
      alarm(stage, 'refused a range')
      witness.caught(block)
    },
  }
}

/** A process that is gone writes no log. */
function toLog(stage: Stage, isGone: () => boolean) {
  const { fail } = stage
  const note = (text: string) => {
    if (!isGone()) stage.note(`log: ${text}`)
  }
  return {
    info: (_: object, text: string) => note(text),
    warn: (_: object, text: string) => {
      note(text)
      if (text.startsWith('A pool differs from its contract')) alarm(stage, 'suspected a pool')
    },
    error: (facts: object, text: string) => {
      note(text)
      if (!isGone()) fail({ property: 'no error of ours', detail: describeError((facts as { err?: unknown }).err) })
    },
  }
}

type Witnessed = Pick<
  WitnessDeps,
  'store' | 'log' | 'forward' | 'distrust' | 'putLast' | 'readHeader' | 'factory' | 'reorgDepthMax'
> & {
  readonly nodes: readonly RpcNode[]
  readonly clock: VirtualClock
}

/** As `openWitness` of the server does, each node asked by itself. */
export function openWitness({ nodes, clock, ...deps }: Witnessed): Witness {
  const chains = nodes.map((node) => createNodeChain([node], { clock }))
  return createWitness({
    ...deps,
    nowMs: clock.nowMs,
    nodes: chains,
    topics: indexedTopics,
    decode: decodePoolEvent,
    decodeCreation,
    startBlock: 0,
    wants: () => true,
    isListed: () => true,
    multicall: addressOf('no multicall'),
    tickCalls: 32,
  })
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

function describeSql(sql: string): string {
  return /^(begin|commit|rollback)/.exec(sql)?.[0] ?? 'a statement'
}

function traced({ request }: RpcNode, node: number, trace: (what: string) => void): RpcNode {
  return {
    request: (method, params) => {
      trace(`node ${node} ${method} ${JSON.stringify(params)}`)
      return request(method, params)
    },
  }
}
