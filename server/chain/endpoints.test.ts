import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { Endpoints, type Outcome } from './endpoints.ts'

/** A node whose answers come when the test says so. */
function createNode() {
  const asked: PromiseWithResolvers<string>[] = []
  return {
    asked,
    read: () => {
      const answer = Promise.withResolvers<string>()
      asked.push(answer)
      return answer.promise
    },
  }
}

type Node = ReturnType<typeof createNode>
const read = (node: Node) => node.read()
const away = () => new Failure('rpc-unavailable', 'away', { retryable: true })

function open(count: number) {
  const clock = createFakeClock(10_000)
  const outcomes: [number, Outcome][] = []
  const nodes = Array.from({ length: count }, createNode)
  const endpoints = new Endpoints(nodes, { clock, onOutcome: (place, outcome) => outcomes.push([place, outcome]) })
  /** Lets `ms` pass while one use waits for a silent node. */
  const pass = async (ms: number) => {
    const untilMs = clock.nowMs() + ms
    while (!(await clock.next(1, untilMs)));
    await settle()
  }
  return { clock, nodes: nodes as [Node, Node, ...Node[]], endpoints, outcomes, pass }
}

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('several nodes', () => {
  it('asks one alone that answers in time', async () => {
    const { endpoints, nodes, outcomes } = open(2)
    const answer = endpoints.use(read)
    nodes[0].asked[0]?.resolve('first')
    expect(await answer).toBe('first')
    expect(nodes[1].asked).toHaveLength(0)
    expect(outcomes).toEqual([[0, 'answered']])
  })

  it('asks the next one too when the first is silent for 2 s, and takes the first good answer', async () => {
    const { endpoints, nodes, outcomes, pass } = open(2)
    const answer = endpoints.use(read)
    await pass(1_999)
    expect(nodes[1].asked).toHaveLength(0)
    await pass(1)
    expect(nodes[1].asked).toHaveLength(1)
    nodes[1].asked[0]?.resolve('second')
    expect(await answer).toBe('second')
    expect(outcomes).toEqual([
      [1, 'answered'],
      [0, 'outrun'],
    ])
  })

  it('leaves a node alone that was outrun: for 1 s, then for 2 s', async () => {
    const { clock, endpoints, nodes, pass } = open(2)
    const answerBySecond = async () => {
      const answer = endpoints.use(read)
      await pass(2_000)
      nodes[1].asked.at(-1)?.resolve('second')
      await answer
    }
    await answerBySecond()
    const cooling = endpoints.use(read)
    nodes[1].asked.at(-1)?.resolve('at once')
    expect(await cooling).toBe('at once')
    expect(nodes[0].asked).toHaveLength(1)
    void clock.pause(1_000, new AbortController().signal)
    await pass(1_000)
    await answerBySecond()
    expect(nodes[0].asked).toHaveLength(2)
    void clock.pause(1_999, new AbortController().signal)
    await pass(1_999)
    const cool = endpoints.use(read)
    nodes[1].asked.at(-1)?.resolve('still the second')
    expect(await cool).toBe('still the second')
  })

  it.each(['good', 'bad'])('drops the answer that comes too late, here a %s one', async (end) => {
    const { endpoints, nodes, outcomes, pass } = open(2)
    const answer = endpoints.use(read)
    await pass(2_000)
    nodes[1].asked[0]?.resolve('second')
    expect(await answer).toBe('second')
    if (end === 'good') nodes[0].asked[0]?.resolve('late')
    else nodes[0].asked[0]?.reject(away())
    await settle()
    expect(outcomes).toEqual([
      [1, 'answered'],
      [0, 'outrun'],
    ])
  })

  it('still takes the silent one when its answer is the first after all, and holds nothing against the other', async () => {
    const { endpoints, nodes, outcomes, pass } = open(2)
    const answer = endpoints.use(read)
    await pass(2_000)
    nodes[0].asked[0]?.resolve('first')
    expect(await answer).toBe('first')
    expect(outcomes).toEqual([[0, 'answered']])
  })

  it('waits for the silent one when the next one fails; when both fail, the first failure counts', async () => {
    const { endpoints, nodes, pass } = open(2)
    const good = endpoints.use(read)
    await pass(2_000)
    nodes[1].asked[0]?.reject(away())
    await settle()
    nodes[0].asked[0]?.resolve('first, late')
    expect(await good).toBe('first, late')

    const both = open(2)
    const bad = both.endpoints.use(read)
    await both.pass(2_000)
    both.nodes[1].asked[0]?.reject(new Failure('rpc-unavailable', 'the second is away', { retryable: true }))
    await settle()
    both.nodes[0].asked[0]?.reject(new Failure('rpc-unavailable', 'the first is away', { retryable: true }))
    await expect(bad).rejects.toThrow('the second is away')
  })

  it('asks the third at once when the second fails while the first is silent', async () => {
    const { endpoints, nodes, pass } = open(3)
    const answer = endpoints.use(read)
    await pass(2_000)
    nodes[1].asked[0]?.reject(away())
    await settle()
    nodes[2]?.asked[0]?.resolve('third')
    expect(await answer).toBe('third')
  })

  it('waits until the next one has cooled down', async () => {
    const { endpoints, nodes, pass } = open(2)
    // Three failures of the second: it cools down for 1 s, for 2 s, then for 4 s.
    for (const kind of ['one', 'two', 'three']) {
      const answer = endpoints.use(read, { kind })
      await pass(2_000)
      nodes[1].asked.at(-1)?.reject(away())
      await settle()
      nodes[0].asked.at(-1)?.resolve('first')
      await answer
    }
    const fourth = endpoints.use(read)
    await pass(3_999)
    expect(nodes[1].asked).toHaveLength(3)
    await pass(1)
    expect(nodes[1].asked).toHaveLength(4)
    nodes[1].asked.at(-1)?.resolve('second')
    expect(await fourth).toBe('second')
  })

  it('never asks a second one for what must happen once', async () => {
    const { clock, endpoints, nodes, pass } = open(2)
    const answer = endpoints.use(read, { hedged: false })
    void clock.pause(60_000, new AbortController().signal)
    await pass(60_000)
    expect(nodes[1].asked).toHaveLength(0)
    nodes[0].asked[0]?.resolve('sent')
    expect(await answer).toBe('sent')
  })

  it('gives a node that is always slow four times its usual time, but never more than 4 s', async () => {
    const { clock, endpoints, nodes, pass } = open(2)
    for (let i = 0; i < 40; i += 1) {
      const answer = endpoints.use(read, { kind: 'range' })
      await pass(900)
      nodes[0].asked.at(-1)?.resolve('slow')
      await answer
    }
    const answer = endpoints.use(read, { kind: 'range' })
    await pass(3_599)
    expect(nodes[1].asked).toHaveLength(0)
    await pass(1)
    expect(nodes[1].asked).toHaveLength(1)
    nodes[0].asked.at(-1)?.resolve('3.6 s')
    await answer
    // A head of the same node is another matter.
    const head = endpoints.use(read, { kind: 'head' })
    await pass(2_000)
    expect(nodes[1].asked).toHaveLength(2)
    nodes[0].asked.at(-1)?.resolve('head')
    await head
    for (let i = 0; i < 40; i += 1) {
      const slow = endpoints.use(read, { kind: 'range' })
      await pass(3_000)
      nodes[0].asked.at(-1)?.resolve('slower')
      await slow
    }
    const asked = nodes[1].asked.length
    const last = endpoints.use(read, { kind: 'range' })
    await pass(3_999)
    expect(nodes[1].asked).toHaveLength(asked)
    await pass(1)
    expect(nodes[1].asked).toHaveLength(asked + 1)
    nodes[0].asked.at(-1)?.resolve('last')
    await last
    expect(clock.nowMs()).toBeGreaterThan(10_000)
  })

  it('asks the next one at once when the first fails; when all fail, the first failure counts', async () => {
    const { endpoints, nodes, outcomes } = open(2)
    const good = endpoints.use(read)
    nodes[0].asked[0]?.reject(away())
    await settle()
    nodes[1].asked[0]?.resolve('second')
    expect(await good).toBe('second')
    expect(outcomes).toEqual([
      [0, 'failed'],
      [1, 'answered'],
    ])
    // The first one cools down. Before a use fails, it is asked all the same.
    const bad = endpoints.use(read)
    nodes[1].asked[1]?.reject(new Failure('rpc-rate-limited', 'late', { retryable: true }))
    await settle()
    nodes[0].asked[1]?.reject(away())
    await expect(bad).rejects.toMatchObject({ code: 'rpc-rate-limited' })
  })

  it('asks no other one what the question is to blame for', async () => {
    const { endpoints, nodes } = open(2)
    const bad = endpoints.use(read)
    nodes[0].asked[0]?.reject(new Failure('rpc-range-too-wide', 'too wide', { retryable: true }))
    await expect(bad).rejects.toMatchObject({ code: 'rpc-range-too-wide' })
    expect(nodes[1].asked).toHaveLength(0)
  })

  it('lets none cool down for what may be refused for itself, and asks the next one', async () => {
    const { endpoints, nodes } = open(2)
    const refusal = () => new Failure('rpc-refused', 'missing trie node', { retryable: true })
    for (let i = 0; i < 9; i += 1) {
      const refused = endpoints.use(read, { mayRefuse: true })
      nodes[0].asked[i]?.reject(refusal())
      await settle()
      nodes[1].asked[i]?.reject(refusal())
      await expect(refused).rejects.toMatchObject({ code: 'rpc-refused' })
    }
    void endpoints.use(read)
    expect(nodes.map(({ asked }) => asked.length)).toEqual([10, 9])
  })

  it('counts what fails together as one failure', async () => {
    const { clock, endpoints, nodes, pass } = open(2)
    const together = Array.from({ length: 16 }, () => endpoints.use(read))
    void clock.pause(1, new AbortController().signal)
    await pass(1)
    for (const answer of nodes[0].asked) answer.reject(away())
    await settle()
    for (const answer of nodes[1].asked) answer.resolve('second')
    expect(await Promise.all(together)).toEqual(Array(16).fill('second'))
    // The second one is silent, and the first has rested when it may be outrun.
    void endpoints.use(read)
    await pass(1_999)
    expect(nodes[0].asked).toHaveLength(16)
    await pass(1)
    expect(nodes[0].asked).toHaveLength(17)
  })

  describe('of which one asks for a rest of five minutes', () => {
    const limited = () => new Failure('rpc-rate-limited', 'slower', { retryable: true, detail: { retryAfterMs: 300_000 } })
    const waitOf = (use: Promise<string>) => use.catch((error: Failure) => error.detail['retryAfterMs'])

    it('goes to the next at once, and leaves the first alone for as long', async () => {
      const { endpoints, nodes, pass } = open(2)
      const good = endpoints.use(read)
      nodes[0].asked[0]?.reject(limited())
      await settle()
      nodes[1].asked[0]?.resolve('second')
      expect(await good).toBe('second')
      // The second one is silent.
      void endpoints.use(read)
      await pass(299_999)
      expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 2])
      await pass(1)
      expect(nodes[0].asked).toHaveLength(2)
    })

    it('lets the caller wait for the one that is back first', async () => {
      const { endpoints, nodes } = open(2)
      const refused = endpoints.use(read)
      nodes[0].asked[0]?.reject(limited())
      await settle()
      nodes[1].asked[0]?.reject(away())
      expect(await waitOf(refused)).toBe(1_000)
    })

    it('waits as long as a lone one asks', async () => {
      const { endpoints, nodes } = open(1)
      const refused = endpoints.use(read)
      nodes[0].asked[0]?.reject(limited())
      expect(await waitOf(refused)).toBe(300_000)
    })
  })

  it('holds a revert against no node: it is an answer of the chain', async () => {
    const { endpoints, nodes } = open(2)
    const refused = endpoints.use(read)
    nodes[0].asked[0]?.reject(new Failure('rpc-refused', 'execution reverted', { retryable: true, detail: { code: 3 } }))
    await expect(refused).rejects.toMatchObject({ code: 'rpc-refused' })
    const next = endpoints.use(read)
    nodes[0].asked[1]?.resolve('first again')
    expect(await next).toBe('first again')
  })

  describe('a node whose answer was not true', () => {
    /** Who is asked first now. */
    const findFirst = async ({ endpoints, nodes }: ReturnType<typeof open>) => {
      const before = nodes.map(({ asked }) => asked.length)
      const answer = endpoints.use(read)
      const place = nodes.findIndex(({ asked }, i) => asked.length > (before[i] ?? 0))
      nodes[place]?.asked.at(-1)?.resolve('answer')
      await answer
      return place
    }
    const wait = async ({ clock, pass }: ReturnType<typeof open>, ms: number) => {
      const over = clock.pause(ms, new AbortController().signal)
      await pass(ms)
      await over
    }

    it('comes last for a minute, twice as long when that was lately, and an hour at most', async () => {
      const site = open(2)
      const seconds: number[] = []
      for (let i = 0; i < 8; i += 1) {
        site.endpoints.distrust(site.nodes[0])
        const startMs = site.clock.nowMs()
        while ((await findFirst(site)) !== 0) await wait(site, 10_000)
        seconds.push((site.clock.nowMs() - startMs) / 1_000)
      }
      expect(seconds).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
      await wait(site, 3_600_000)
      site.endpoints.distrust(site.nodes[0])
      await wait(site, 60_000)
      expect(await findFirst(site)).toBe(0)
    })

    it('is asked before one that is away', async () => {
      const site = open(2)
      const { nodes, endpoints } = site
      endpoints.distrust(nodes[0])
      for (let i = 0; i < 3; i += 1) {
        const failing = endpoints.use(read)
        expect(nodes[0].asked).toHaveLength(0)
        nodes[1].asked.at(-1)?.reject(away())
        await expect(failing).rejects.toMatchObject({ code: 'rpc-unavailable' })
      }
      expect(await findFirst(site)).toBe(0)
      // And the one that is away again when it has rested.
      await wait(site, 4_000)
      expect(await findFirst(site)).toBe(1)
    })

    it('is asked as well while one is silent that failed before', async () => {
      const site = open(2)
      const { nodes, endpoints, pass } = site
      endpoints.distrust(nodes[0])
      const failing = endpoints.use(read)
      nodes[1].asked[0]?.reject(away())
      await expect(failing).rejects.toMatchObject({ code: 'rpc-unavailable' })
      const answer = endpoints.use(read)
      await pass(2_000)
      nodes[0].asked[0]?.resolve('last')
      expect(await answer).toBe('last')
    })

    it('or only behind comes last for a minute each time', async () => {
      const site = open(2)
      for (let i = 0; i < 3; i += 1) {
        site.endpoints.putLast(site.nodes[0])
        await wait(site, 59_999)
        expect(await findFirst(site)).toBe(1)
        await wait(site, 1)
        expect(await findFirst(site)).toBe(0)
      }
    })

    it('comes last as long, however often that is said meanwhile, and whatever fails that was under way', async () => {
      const site = open(2)
      const underWay = site.endpoints.use(read)
      site.endpoints.distrust(site.nodes[0])
      site.endpoints.distrust(site.nodes[0])
      site.nodes[0].asked[0]?.reject(away())
      await settle()
      site.nodes[1].asked[0]?.resolve('second')
      await underWay
      await wait(site, 59_999)
      expect(await findFirst(site)).toBe(1)
      await wait(site, 1)
      expect(await findFirst(site)).toBe(0)
    })
  })
})
