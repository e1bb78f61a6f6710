import { describe, expect, it } from 'vitest'
import { createFairQueue, type Waiting } from './createFairQueue.ts'

const day = 86_400
const now = 100 * day
const roomy = { waitingMax: 50, waitingOfSubjectMax: 50, waitingOfClientMax: 50 }

/** A queue, and callers of it by name; `sent` has those that were sent away. */
function open(limits: Partial<typeof roomy> = {}) {
  const queue = createFairQueue({ ...roomy, ...limits }, () => now)
  const sent: string[] = []
  const callers: Waiting[] = []
  const make = (name: string, sinceDay: number, { subject = name, client = name } = {}): Waiting => ({
    ...{ subject, client, turnOf: { name, sinceSeconds: sinceDay * day } },
    start: () => undefined,
    sendAway: () => sent.push(name),
  })
  const add = (...made: Parameters<typeof make>) => {
    const caller = make(...made)
    callers.push(caller)
    return queue.add(caller)
  }
  const remove = (at: number) => {
    const caller = callers[at]
    if (caller) queue.remove(caller)
  }
  const takeAll = () => {
    const names: string[] = []
    for (let next = queue.takeNext(); next; next = queue.takeNext()) names.push(next.turnOf.name)
    return names
  }
  return { queue, sent, add, remove, takeAll }
}

describe('whose turn it is', () => {
  it('many accounts made today wait behind one that has been there for a while', () => {
    const { add, takeAll } = open()
    for (const name of ['new1', 'new2', 'new3']) add(name, 99.9)
    add('old', 80)
    expect(takeAll()).toEqual(['old', 'new1', 'new2', 'new3'])
  })

  it('one that never stops waits behind one that comes now and then: each turn puts it back by half a day', () => {
    const { add, takeAll } = open()
    for (let i = 0; i < 4; i += 1) add('greedy', 80)
    add('honest', 80.75)
    expect(takeAll()).toEqual(['greedy', 'greedy', 'honest', 'greedy', 'greedy'])
  })

  it('remembers turns that are over', () => {
    const { queue, add, takeAll } = open()
    for (let i = 0; i < 3; i += 1) {
      add('greedy', 80)
      queue.takeNext()
    }
    add('greedy', 80)
    add('honest', 81.25)
    expect(takeAll()).toEqual(['honest', 'greedy'])
  })

  it('an account bought for its age is ahead by 30 days at the most', () => {
    const { add, takeAll } = open()
    add('aged70', 69.9)
    add('aged99', 1)
    expect(takeAll()).toEqual(['aged70', 'aged99'])
  })

  it('nobody is next where nobody waits', () => {
    expect(open().queue.takeNext()).toBeUndefined()
  })
})

describe('a full queue', () => {
  const full = () => {
    const opened = open({ waitingMax: 3 })
    for (const [name, since] of [['a', 97] as const, ['c', 99] as const, ['b', 98] as const]) opened.add(name, since)
    return opened
  }

  it('gives the place of who stands last to one that is before him', () => {
    const { queue, sent, add, takeAll } = full()
    expect([add('old', 80), sent, queue.count()]).toEqual([true, ['c'], 3])
    expect(takeAll()).toEqual(['old', 'a', 'b'])
  })

  it('has no place for one that would stand last, or as far back as who does', () => {
    const { sent, add, takeAll } = full()
    expect([add('newer', 99.5), add('same', 99), sent]).toEqual([false, false, []])
    expect(takeAll()).toEqual(['a', 'b', 'c'])
  })

  it('of two that stand equally far back the one that came last goes', () => {
    const { sent, add } = open({ waitingMax: 2 })
    for (const name of ['first', 'second']) add(name, 99)
    add('old', 80)
    expect(sent).toEqual(['second'])
  })

  it('counts no turn against who was sent away', () => {
    const { queue, add, takeAll } = full()
    add('old', 80)
    for (let i = 0; i < 3; i += 1) queue.takeNext()
    add('later', 99.25)
    add('c', 99)
    expect(takeAll()).toEqual(['c', 'later'])
  })
})

describe('the places of one', () => {
  it('a client has so many, whatever names he makes up, and others still get in', () => {
    const { queue, add } = open({ waitingOfClientMax: 2 })
    const client = '192.0.2.1'
    expect(['x', 'y', 'z'].map((name) => add(name, 80, { client }))).toEqual([true, true, false])
    expect([queue.isFullFor(client), queue.isFullFor('192.0.2.2'), add('other', 99)]).toEqual([true, false, true])
  })

  it('an account is waited for by so many, wherever they come from', () => {
    const { add } = open({ waitingOfSubjectMax: 2 })
    const from = (client: string) => add(client, 80, { subject: 'alice', client })
    expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(from)).toEqual([true, true, false])
  })

  it('a place is free again with the turn', () => {
    const { queue, add } = open({ waitingOfClientMax: 1, waitingOfSubjectMax: 1 })
    expect([add('a', 80), add('a', 80)]).toEqual([true, false])
    queue.takeNext()
    expect([queue.isFullFor('a'), add('a', 80)]).toEqual([false, true])
  })

  it('who leaves twice frees one place', () => {
    const { queue, add, remove } = open({ waitingOfClientMax: 2 })
    for (const name of ['x', 'y']) add(name, 80, { client: 'c' })
    remove(0)
    remove(0)
    expect([queue.count(), add('z', 80, { client: 'c' }), queue.isFullFor('c')]).toEqual([1, true, true])
  })

  it('who leaves has had no turn, once: leaving again and again brings nobody forward', () => {
    const { add, remove, takeAll } = open()
    add('sly', 90)
    for (let i = 0; i < 20; i += 1) remove(0)
    add('honest', 89.75)
    add('sly', 90)
    expect(takeAll()).toEqual(['honest', 'sly'])
  })
})
