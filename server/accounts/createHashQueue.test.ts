import { afterEach, expect, it, vi } from 'vitest'
import { createHashQueue as create, type HashCaller, type HashQueueLimits, hashQueueLimits } from './createHashQueue.ts'

const nowSeconds = 1_700_000_000
const daySeconds = 86_400
const createHashQueue = (of: HashQueueLimits) => create(of, () => nowSeconds)
const settled = () => new Promise((resolve) => setImmediate(resolve))
const limits = { slots: 2, waitMsMax: 10_000, waitingMax: 5, waitingOfSubjectMax: 2, waitingOfClientMax: 4 }
const busy = {
  code: 'busy',
  message: 'Too many sign-ins at once. Try again in a moment',
  detail: { retryAfterSeconds: 5 },
}
afterEach(() => {
  vi.useRealTimers()
})

const known = (client: string, subject = client): HashCaller => ({ kind: 'recognized', client, subject })
const stranger = (client: string, subject = client): HashCaller => ({ kind: 'unrecognized', client, subject })

/** Jobs that end when the test says so; what comes of each is kept by its name. */
function createJobs(queue: ReturnType<typeof createHashQueue>) {
  const started: string[] = []
  const busyOnes: string[] = []
  const ends = new Map<string, () => void>()
  const add = async (name: string, caller: HashCaller) => {
    const done = queue.run(caller, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
    done.catch((error) => busyOnes.push(`${name} ${error.code}`))
    await settled()
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { started, busyOnes, add, end }
}

it.each([
  ['recognized', 'unrecognized', known, stranger],
  ['unrecognized', 'recognized', stranger, known],
] as const)('%s callers have every hash while no %s waits, and one as soon as one does', async (_, _other, of, ofOther) => {
  const { started, add, end } = createJobs(createHashQueue(limits))
  for (const name of ['a', 'b', 'c', 'd']) await add(name, of(name))
  expect(started).toEqual(['a', 'b'])
  for (const name of ['x', 'y']) await add(name, ofOther(name))
  // It does not matter which of theirs ends, nor that they wait longer: the others are next, and then keep one of the two.
  await end('b')
  expect(started).toEqual(['a', 'b', 'x'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'x', 'c'])
  await end('x')
  expect(started).toEqual(['a', 'b', 'x', 'c', 'y'])
  await end('y')
  expect(started).toEqual(['a', 'b', 'x', 'c', 'y', 'd'])
})

it.each([
  ['accounts, wherever they come from', (whose: string, which: string) => known(`${whose}-${which}`, whose)],
  ['clients, whatever names they try', (whose: string, which: string) => stranger(whose, `${whose}-${which}`)],
])('turns go round between %s', async (_, of) => {
  const { started, add, end } = createJobs(createHashQueue({ ...limits, slots: 1, waitingMax: 9 }))
  await add('a0', of('a', '0'))
  for (const which of ['1', '2']) await add(`a${which}`, of('a', which))
  for (const which of ['1', '2']) await add(`b${which}`, of('b', which))
  await add('c1', of('c', '1'))
  for (const name of ['a0', 'b1', 'c1']) await end(name)
  // Who comes back after his turn has no better one; who comes for the first time has.
  await add('c2', of('c', '2'))
  await add('d1', of('d', '1'))
  for (const name of ['a1', 'd1', 'b2', 'c2']) await end(name)
  expect(started).toEqual(['a0', 'b1', 'c1', 'a1', 'd1', 'b2', 'c2', 'a2'])
})

it('an account that is older has its turn before those that were made for a crowd, and the place of one of them', async () => {
  const queue = createHashQueue({ ...limits, slots: 1, waitingMax: 3 })
  const { started, busyOnes, add, end } = createJobs(queue)
  const of = (name: string, ageSeconds: number) => ({ ...known(name), sinceSeconds: nowSeconds - ageSeconds })
  await add('running', of('running', 0))
  for (const i of [1, 2, 3]) await add(`new${i}`, of(`new${i}`, 10 - i))
  expect(busyOnes).toEqual([])
  await add('newest', of('newest', 0))
  expect(busyOnes).toEqual(['newest busy'])
  await add('owner', of('owner', 5 * daySeconds))
  expect(busyOnes).toEqual(['newest busy', 'new3 busy'])
  // The one after his first is no worse than theirs, nine times: half a day for each.
  await end('running')
  for (let turn = 0; turn < 9; turn += 1) {
    await add(`again${turn}`, of('owner', 5 * daySeconds))
    await end(turn === 0 ? 'owner' : `again${turn - 1}`)
  }
  await add('tenth', of('owner', 5 * daySeconds))
  await end('again8')
  expect(started).toEqual(['running', 'owner', ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((turn) => `again${turn}`), 'new1'])
})

it('beyond thirty days age is none, and whoever was sent away has had no turn', async () => {
  const queue = createHashQueue({ ...limits, slots: 1, waitingMax: 2 })
  const { started, busyOnes, add, end } = createJobs(queue)
  const of = (name: string, ageDays: number) => ({ ...known(name), sinceSeconds: nowSeconds - ageDays * daySeconds })
  await add('running', of('running', 1))
  await add('month', of('month', 30))
  await add('sent', of('sent', 1))
  await add('years', of('years', 2_000))
  expect(busyOnes).toEqual(['sent busy'])
  await end('running')
  await add('day', of('day', 0.9))
  await add('back', of('sent', 1))
  expect(busyOnes).toEqual(['sent busy', 'day busy'])
  for (const name of ['month', 'years']) await end(name)
  expect(started).toEqual(['running', 'month', 'years', 'back'])
})

it('two of one name wait, from wherever they come, and four of one client; the next of these is sent away, and nobody else', async () => {
  const queue = createHashQueue({ ...limits, slots: 1, waitingMax: 50 })
  const { started, busyOnes, add, end } = createJobs(queue)
  await add('running', known('z'))
  for (const i of [1, 2, 3]) await add(`m${i}`, known(`m${i}`, 'mallory'))
  expect(busyOnes).toEqual(['m3 busy'])
  for (const i of [1, 2, 3, 4, 5]) await add(`n${i}`, known('n', `n${i}`))
  expect(busyOnes).toEqual(['m3 busy', 'n5 busy'])
  await add('owner', known('o'))
  // Strangers who try the same name, or come from the same client, wait elsewhere.
  await add('s', stranger('n', 'mallory'))
  expect(busyOnes).toEqual(['m3 busy', 'n5 busy'])
  for (const name of ['running', 'm1', 'n1', 'n2', 'n3', 'n4']) await end(name)
  expect(started).toEqual(['running', 'm1', 'n1', 'n2', 'n3', 'n4', 'owner'])
})

it('places are free again after a turn', async () => {
  const queue = createHashQueue({ ...limits, slots: 1 })
  for (let i = 0; i < 3; i += 1) {
    const all = [1, 2, 3].map(() => queue.run(known('a'), async () => 'yes'))
    expect(await Promise.all(all)).toEqual(['yes', 'yes', 'yes'])
  }
})

it('when all places are taken, who has none gets the last one of whoever has most', async () => {
  const queue = createHashQueue({ ...limits, slots: 1 })
  const { started, busyOnes, add, end } = createJobs(queue)
  await add('running', stranger('z'))
  for (const i of [1, 2]) await add(`a${i}`, stranger('a', `a${i}`))
  for (const i of [1, 2, 3]) await add(`b${i}`, stranger('b', `b${i}`))
  await add('c', stranger('c'))
  expect(busyOnes).toEqual(['b3 busy'])
  for (const name of ['d', 'e', 'f']) await add(name, stranger(name))
  // One each now: the next has to come back.
  expect(busyOnes).toEqual(['b3 busy', 'b2 busy', 'a2 busy', 'f busy'])
  for (const name of ['running', 'a1', 'b1', 'c', 'd']) await end(name)
  expect(started).toEqual(['running', 'a1', 'b1', 'c', 'd', 'e'])
})

it('says beforehand that there is no place for a fifth of one client, of whom something may speak for the next', async () => {
  const queue = createHashQueue({ ...limits, slots: 1, waitingMax: 50 })
  const { add } = createJobs(queue)
  for (const name of ['running', '1', '2', '3']) await add(name, known('a', name))
  for (const name of ['5', '6', '7', '8', '9']) await add(name, stranger(name, 'a'))
  expect(() => queue.requireRoom('a')).not.toThrow()
  await add('4', known('a', '4'))
  expect(() => queue.requireRoom('a')).toThrow(busy.message)
  expect(() => queue.requireRoom('b')).not.toThrow()
})

it('sends away who comes when too many wait, with words, and only those of that kind', async () => {
  const queue = createHashQueue({ ...limits, waitingMax: 1 })
  const { started, add, end } = createJobs(queue)
  for (const name of ['s1', 's2', 's3']) await add(name, stranger(name))
  await expect(queue.run(stranger('c'), async () => 'in')).rejects.toMatchObject(busy)
  await add('k1', known('c'))
  await end('s1')
  expect(started).toEqual(['s1', 's2', 'k1'])
})

it('sends away with words who has waited for ten seconds, and nobody whose turn has come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const queue = createHashQueue({ ...limits, slots: 1 })
  const { started, busyOnes, add, end } = createJobs(queue)
  await add('running', known('a'))
  await add('next', known('b'))
  const told = expect(queue.run(known('c'), async () => 'in')).rejects.toMatchObject(busy)
  await add('waits', known('d'))
  await end('running')
  vi.advanceTimersByTime(9_999)
  await settled()
  expect([started, busyOnes]).toEqual([['running', 'next'], []])
  vi.advanceTimersByTime(1)
  await told
  await settled()
  expect([started, busyOnes]).toEqual([['running', 'next'], ['waits busy']])
  // Their places are free.
  await add('later', known('e'))
  await end('next')
  expect(started).toEqual(['running', 'next', 'later'])
})

it('who is gone waits no longer, and whoever comes has the place', async () => {
  const queue = createHashQueue({ ...limits, slots: 1, waitingMax: 1 })
  const { started, busyOnes, add, end } = createJobs(queue)
  const [waits, runs] = [new AbortController(), new AbortController()]
  await add('running', { ...known('a'), gone: runs.signal })
  await add('leaves', { ...known('b'), gone: waits.signal })
  await add('full', known('c'))
  expect(busyOnes).toEqual(['full busy'])
  waits.abort()
  // What runs goes on to its end.
  runs.abort()
  await add('comes', known('d'))
  expect([started, busyOnes]).toEqual([['running'], ['full busy', 'leaves busy']])
  await end('running')
  expect(started).toEqual(['running', 'comes'])
  await add('late', { ...known('e'), gone: waits.signal })
  expect(busyOnes).toEqual(['full busy', 'leaves busy', 'late busy'])
})

const hashMs = 20
const stepMs = 10

/** Asks for hashes with four names at once, again and again, however often it is sent away. */
function crowdIn(queue: ReturnType<typeof createHashQueue>, callers: readonly HashCaller[], isOver: () => boolean) {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const ask = async (caller: HashCaller) => {
    while (!isOver()) await queue.run(caller, () => wait(hashMs)).catch(() => wait(10 * stepMs))
  }
  for (const caller of callers)
    for (let name = 0; name < 4; name += 1) void ask({ ...caller, subject: `${caller.client}-${name}` })
}

it.each([
  { crowd: 60, kinds: [known], slowestMs: 60 },
  { crowd: 700, kinds: [known], slowestMs: 60 },
  { crowd: 60, kinds: [known, stranger], slowestMs: 1_400 },
  { crowd: 300, kinds: [known, stranger], slowestMs: 6_400 },
])(
  'while $crowd clients with four names each never stop asking, everybody else has his hash of 20 ms within $slowestMs ms',
  async ({ crowd, kinds, slowestMs }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = createHashQueue(hashQueueLimits)
    let nowMs = 0
    const waits: number[] = []
    const asked = 11 * kinds.length
    const isOver = () => waits.length >= asked
    const clients = Array.from({ length: crowd }, (_, i) => `crowd-${i}`)
    for (const of of kinds)
      crowdIn(
        queue,
        // Made for it, yesterday.
        clients.map((client) => ({ ...of(client), sinceSeconds: nowSeconds - daySeconds })),
        isOver,
      )
    const owner = async (caller: HashCaller) => {
      const beganMs = nowMs
      await queue.run(caller, () => new Promise<void>((resolve) => setTimeout(resolve, hashMs)))
      waits.push(nowMs - beganMs)
    }
    const owners: Promise<void>[] = []
    for (; !isOver() && nowMs < 20_000; nowMs += stepMs) {
      const isDue = nowMs < 3_000 ? nowMs % 300 === 0 : nowMs === 9_000
      if (isDue) for (const of of kinds) owners.push(owner(of(`owner-${nowMs}`)))
      vi.advanceTimersByTime(stepMs)
      await settled()
    }
    await Promise.all(owners)
    expect(waits).toHaveLength(asked)
    expect(Math.max(...waits)).toBeLessThanOrEqual(slowestMs)
    // Once each of the crowd has had a turn, who comes for the first time is next.
    expect(Math.max(...waits.slice(-kinds.length))).toBeLessThanOrEqual(60)
  },
)
