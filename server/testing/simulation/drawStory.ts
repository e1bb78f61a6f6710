import {
  type Act,
  foreignFaults,
  forgetfulFaults,
  honestFaults,
  malformedFaults,
  type NodeFault,
  type Story,
  silentFaults,
  storeFaults,
} from './acts.ts'
import { createRandom, type Random } from './random.ts'

/** Which families of trouble a story is drawn from. */
export type Family = 'honest' | 'crash' | 'store' | 'malformed' | 'foreign' | 'silent' | 'forgetful'
export const families: readonly Family[] = ['honest', 'crash', 'store', 'malformed', 'foreign', 'silent', 'forgetful']

/** How far blocks are dated wrongly: early, backwards past the parent, into another hour, far ahead. */
const shiftsSeconds = [-90, -7, -2, -1, 1, 60, 4_000]

type Unplaced = Act extends infer A ? (A extends Act ? Omit<A, 'id' | 'atMs'> : never) : never

/** Draws a whole story from a seed. Each kind of trouble is left out of every second story, so that they do not hide each other. */
export function drawStory(seed: string, wanted: readonly Family[]): Story {
  const random = createRandom(seed).fork('story')
  const blockMs = random.pick([1_000, 2_000, 5_000, 12_000])
  const forMs = blockMs * random.int(30, 60)
  const drawn = drawKinds(random.fork('kinds'), wanted)
  const hourAtMs = random.fork('hour').int(1, Math.floor(forMs / 1_000) - 1) * 1_000
  const when = random.fork('when')
  // A branch that dies just after an hour has begun takes all that the hour had: reorgs come then more often than by chance.
  const afterHour = () => Math.min(forMs - 1, hourAtMs + when.int(1, 8) * blockMs)
  const draw = ({ kind }: Unplaced) => (kind === 'reorg' && when.chance(0.5) ? afterHour() : when.int(0, Math.floor(forMs * 0.9)))
  const acts = drawn.map((act, id): Act => ({ ...act, id, atMs: draw(act) }) as Act)
  return {
    seed,
    nodes: random.int(1, 3),
    blockMs,
    pollMs: random.pick([Math.ceil(blockMs / 2), blockMs, blockMs * 2]),
    confirmations: random.pick([6, 12, 16, 64]),
    spanMax: random.pick([10, 100, 2_000]),
    history: random.int(20, 120),
    hourAtMs,
    historySeconds: random.pick([12, 600, 3_600]),
    activity: random.pick([0.5, 1, 3]),
    quiet: random.fork('quiet').chance(0.7),
    latencyMs: random.pick([2, 20, 150]),
    clients: random.int(0, 3),
    clientMs: random.pick([2_000, 8_000]),
    forMs,
    acts: acts.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id),
  }
}

function drawKinds(random: Random, wanted: readonly Family[]): Unplaced[] {
  const acts: Unplaced[] = []
  const some = (name: string, most: number, draw: (random: Random) => Unplaced) => {
    const own = random.fork(name)
    if (!own.chance(0.5)) return
    const count = own.int(1, most)
    for (let i = 0; i < count; i += 1) acts.push(draw(own))
  }
  some('reorg', 4, (own) => ({ kind: 'reorg', depth: own.chance(0.8) ? own.int(1, 6) : own.int(7, 20), extra: own.int(-1, 2) }))
  some('stall', 2, (own) => ({ kind: 'stall', forMs: own.int(5_000, 120_000) }))
  some('burst', 2, (own) => ({ kind: 'burst', blocks: own.int(2, 30) }))
  const kinds: Record<Family, readonly NodeFault[]> = {
    honest: honestFaults,
    malformed: malformedFaults,
    foreign: foreignFaults,
    silent: silentFaults,
    forgetful: forgetfulFaults,
    crash: [],
    store: [],
  }
  for (const family of wanted) for (const fault of kinds[family]) some(fault, 2, (own) => drawNodeFault(own, fault))
  if (wanted.includes('crash')) {
    some('crash', 5, drawCrash)
    some('restart', 2, (own) => ({ kind: 'restart', downMs: own.int(0, 20_000) }))
  }
  if (wanted.includes('store')) for (const fault of storeFaults) some(fault, 2, (own) => drawStoreFault(own, fault))
  return acts
}

function drawNodeFault(random: Random, fault: NodeFault): Unplaced {
  if (forgetfulFaults.some((each) => each === fault)) return drawForgetful(random, fault)
  if (fault === 'ownBranch') return drawBranch(random)
  const deep = fault === 'farBehind' || fault === 'falseReorg'
  return {
    kind: 'node',
    fault,
    // All nodes of one mind are believed: of a branch that never was, only the first one tells. One that leaves nothing out would
    // be read in its turn.
    node: fault === 'falseReorg' ? 0 : fault === 'omitAway' ? 'all' : random.chance(0.5) ? 'all' : random.int(0, 2),
    // What is left out so is left out whenever it is read: what finds it is not a second reading.
    forMs: fault === 'omitAway' ? random.int(60_000, 720_000) : random.int(1_000, 60_000),
    rate:
      fault === 'omitAway' || fault === 'tokens' || fault === 'frozen' || fault === 'otherChain' || deep
        ? 1
        : random.pick([0.1, 0.4, 1]),
    depth: deep
      ? random.int(20, 100)
      : fault === 'rangeLimit'
        ? random.int(3, 50)
        : fault === 'times'
          ? random.pick(shiftsSeconds)
          : random.int(1, 5),
  }
}

/** Long enough for a second reading. Who makes events up is one of several: alone it would be the only one to say what is. */
function drawForgetful(random: Random, fault: NodeFault): Unplaced {
  const node = fault === 'madeUpAlike' || random.chance(0.5) ? random.int(0, 2) : 'all'
  return { kind: 'node', fault, node, forMs: random.int(90_000, 600_000), rate: 1, depth: random.int(1, 20) }
}

/** A node that has left the chain and does not know it: long enough for the others to be asked. */
function drawBranch(random: Random): Unplaced {
  return {
    kind: 'node',
    fault: 'ownBranch',
    node: random.int(0, 2),
    forMs: random.int(60_000, 300_000),
    rate: 1,
    depth: random.int(1, 5),
  }
}

function drawCrash(random: Random): Unplaced {
  const where = random.pick(['store', 'store', 'commit', 'node'] as const)
  return {
    kind: 'crash',
    where,
    skip: where === 'commit' ? random.int(0, 3) : random.int(0, 40),
    side: random.chance(0.5) ? 'before' : 'after',
    downMs: random.int(0, 20_000),
  }
}

function drawStoreFault(random: Random, fault: (typeof storeFaults)[number]): Unplaced {
  return { kind: 'store', fault, skip: random.int(0, 40), forMs: random.chance(0.5) ? 0 : random.int(1_000, 60_000) }
}
