import { expect, it } from 'vitest'
import { createHashQueue, type HashCaller } from './createHashQueue.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const limits = { slots: 2, strangerSlots: 1, waitingMax: 5, waitingOfSubjectMax: 2, waitingOfClientMax: 4 }
const busy = { code: 'busy', message: 'Too many sign-ins at once; try again in a moment' }

const known = (client: string, subject = client): HashCaller => ({ kind: 'known', client, subject })
const stranger = (client: string, subject = client): HashCaller => ({ kind: 'stranger', client, subject })

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

it('runs so many at once, and strangers leave a place free', async () => {
  const { started, add, end } = createJobs(createHashQueue(limits))
  await add('s1', stranger('a'))
  await add('s2', stranger('b'))
  await add('k1', known('c'))
  await add('k2', known('d'))
  expect(started).toEqual(['s1', 'k1'])
  await end('s1')
  // Whom something speaks for comes before a stranger who waits longer.
  expect(started).toEqual(['s1', 'k1', 'k2'])
  await end('k1')
  expect(started).toEqual(['s1', 'k1', 'k2', 's2'])
})

it.each([
  ['known', known],
  ['stranger', stranger],
] as const)('turns of %s callers go round between clients', async (_, of) => {
  const { started, add, end } = createJobs(createHashQueue({ ...limits, slots: 1, waitingMax: 9 }))
  await add('a0', of('a'))
  for (const name of ['a1', 'a2', 'a3']) await add(name, of('a', name))
  await add('b1', of('b', 'x'))
  await add('b2', of('b', 'y'))
  await add('c1', of('c'))
  for (const name of ['a0', 'a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
  expect(started).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
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
  for (const name of ['running', 'm1', 'm2', 'n1']) await end(name)
  expect(started).toEqual(['running', 'm1', 'm2', 'n1', 'owner'])
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
  await add('running', known('z'))
  for (const i of [1, 2]) await add(`a${i}`, known('a', `a${i}`))
  for (const i of [1, 2, 3]) await add(`b${i}`, known('b', `b${i}`))
  await add('c', known('c'))
  expect(busyOnes).toEqual(['b3 busy'])
  // Who has a place already gets no other one.
  await add('c2', known('c', 'c2'))
  expect(busyOnes).toEqual(['b3 busy', 'c2 busy'])
  for (const name of ['d', 'e', 'f']) await add(name, known(name))
  // One each now: the next has to come back.
  expect(busyOnes).toEqual(['b3 busy', 'c2 busy', 'a2 busy', 'b2 busy', 'f busy'])
  for (const name of ['running', 'a1', 'b1', 'c', 'd']) await end(name)
  expect(started).toEqual(['running', 'a1', 'b1', 'c', 'd', 'e'])
})

it('sends away who comes when too many wait, with words, and only those of that kind', async () => {
  const queue = createHashQueue({ ...limits, waitingMax: 1 })
  const { started, add } = createJobs(queue)
  await add('s1', stranger('a'))
  await add('s2', stranger('b'))
  await expect(queue.run(stranger('c'), async () => 'in')).rejects.toMatchObject(busy)
  await add('k1', known('c'))
  expect(started).toEqual(['s1', 'k1'])
})

it('gives the place on when a job fails', async () => {
  const queue = createHashQueue({ ...limits, slots: 1 })
  await expect(queue.run(known('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run(known('a'), async () => 'yes')).toBe('yes')
})
