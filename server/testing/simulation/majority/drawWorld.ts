import { createRandom, type Random } from '../random.ts'

/** What an honest node may be like. `late`: a few seconds behind; `balancer`: each call from one of two nodes, of which one is behind. */
export const manners = ['fine', 'late', 'slow', 'flaky', 'balancer'] as const
export type Manner = (typeof manners)[number]

/** What a node does that lies or fails. Each is named for what it does to the index. */
export const lies = [
  'ownBranch',
  'deepBranch',
  'branchAhead',
  'otherTips',
  'flips',
  'headersOfABranch',
  'creeps',
  'farHead',
  'behind',
  'frozen',
  'deniesBlocks',
  'refusesHeaders',
  'refusesTheFirstBlock',
  'otherChain',
  'omitsLogs',
  'makesLogsUp',
  'misdates',
  'hangs',
  'fails',
] as const
export type Lie = (typeof lies)[number]

/**
 * To which of its callers a node lies: to all; to the index and not to who compares it; to several calls of one moment, or to a call
 * that comes alone.
 */
export const audiences = ['all', 'index', 'together', 'alone'] as const
export type Audience = (typeof audiences)[number]

/** A node lies like this from `atSeconds` on. `size`: blocks or seconds, as the lie needs them. */
export type Phase = {
  readonly atSeconds: number
  readonly lie: Lie
  readonly to: Audience
  readonly share: number
  readonly size: number
}

export type WorldNode = { readonly manner: Manner } | { readonly phases: readonly Phase[] }

/** More than half of its nodes tell the truth, and answer most of the time. Seconds count from the server's start. */
export type World = {
  readonly seed: string
  readonly nodes: readonly WorldNode[]
  readonly blockMs: number
  readonly pollMs: number
  readonly confirmations: number
  /** The chain replaces so many of its newest blocks now and then; 0: never. */
  readonly reorgMax: number
  readonly liesEndAt: number
}

const liesBeginAt = 120

/** The world of a seed: the same one each time. */
export function drawWorld(seed: number): World {
  const random = createRandom(`majority ${seed}`)
  const count = random.pick([3, 3, 3, 4, 5])
  const liars = drawLiars(random.fork('liars'), count)
  const blockMs = random.pick([250, 500, 1_000, 2_000, 2_000, 3_000, 5_000, 12_000, 12_000, 30_000])
  const liesEndAt = liesBeginAt + random.int(600, 1_500)
  return {
    seed: String(seed),
    nodes: Array.from({ length: count }, (_, place) =>
      liars.has(place)
        ? { phases: drawPhases(random.fork(`phases ${place}`), liesEndAt) }
        : { manner: random.pick(['fine', 'fine', ...manners] as const) },
    ),
    blockMs,
    pollMs: random.pick([1_000, 1_000, 2_000, 5_000]),
    confirmations: random.chance(0.5) ? Math.max(12, Math.ceil(40_000 / blockMs)) : 12,
    reorgMax: random.chance(0.4) ? random.int(1, 4) : 0,
    liesEndAt,
  }
}

/** Fewer than half, and the first one often. */
function drawLiars(random: Random, count: number): Set<number> {
  const most = Math.ceil(count / 2) - 1
  const liars = new Set<number>(random.chance(0.6) ? [0] : [])
  const wanted = random.int(1, most)
  while (liars.size < wanted) liars.add(random.int(0, count - 1))
  return liars
}

function drawPhases(random: Random, liesEndAt: number): Phase[] {
  // Some know two lies only, and go on with them.
  const known = random.chance(0.3) ? [random.pick(lies), random.pick(lies)] : lies
  const phases: Phase[] = []
  for (let atSeconds = liesBeginAt; atSeconds < liesEndAt; atSeconds += drawWide(random, 20, 600))
    phases.push({
      atSeconds,
      lie: random.pick(known),
      to: random.pick(audiences),
      share: random.pick([1, 1, 1, 0.5, 0.1]),
      size: drawWide(random, 1, 1_000),
    })
  return phases
}

/** As likely between 1 and 10 as between 10 and 100. */
function drawWide(random: Random, min: number, max: number): number {
  return Math.round(min * (max / min) ** random.next())
}
