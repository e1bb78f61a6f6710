import { Failure } from '@chainboard/core'
import { afterEach, describe, expect, it } from 'vitest'
import { type HandOver, type LeaderWord, mustGiveWay, watchHandOver } from './handOver.ts'

const atNoon = 1_790_000_000_000
const failingSinceNoon: LeaderWord['follow'] = { head: 100, trouble: { kind: 'node', text: 'no answer', sinceMs: atNoon } }

describe('a leader', () => {
  it('gives way when its nodes have failed for over a minute, for no other trouble, and not while it has none', () => {
    expect(mustGiveWay(failingSinceNoon, atNoon + 60_000)).toBe(false)
    expect(mustGiveWay(failingSinceNoon, atNoon + 60_001)).toBe(true)
    expect(mustGiveWay({ head: 100, trouble: { kind: 'store', text: 'full', sinceMs: atNoon } }, atNoon + 90_000)).toBe(false)
    expect(mustGiveWay({ head: 100, trouble: undefined }, atNoon + 90_000)).toBe(false)
  })
})

describe('a server that does not lead', () => {
  let watch: HandOver | undefined
  afterEach(() => watch?.stop())

  /** A server whose nodes have this head, or do not answer. `look`: its next look, as it has ended. */
  function open(head: number | undefined, { seconds = 61, ageMs = 500, isLeading = false } = {}) {
    const own = { nowMs: atNoon + seconds * 1_000, claims: 0 }
    let wake: () => void = () => undefined
    let asleep = Promise.withResolvers<void>()
    watch = watchHandOver({
      chain: {
        readHead: async () => {
          if (head === undefined) throw new Failure('rpc-unavailable', 'no answer', { retryable: true })
          return { number: head }
        },
      },
      leader: () => ({ follow: failingSinceNoon, ageMs }),
      isLeading: () => isLeading,
      claim: async () => {
        own.claims += 1
      },
      nowMs: () => own.nowMs,
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve())
          asleep.resolve()
        }),
      log: { warn: () => undefined },
    })
    const look = async () => {
      await asleep.promise
      asleep = Promise.withResolvers()
      wake()
      await asleep.promise
    }
    return { own, look, isFit: watch.isFit }
  }

  it('claims the lead while the nodes of the leader fail and its own have a newer block', async () => {
    const { own, look, isFit } = open(101)
    expect(isFit()).toBe(false)
    await look()
    expect([own.claims, isFit()]).toEqual([1, true])
    own.nowMs += 15_000
    expect(isFit()).toBe(false)
  })

  it.each([
    ['its own nodes do not answer', undefined, {}],
    ['its own nodes have no newer block', 100, {}],
    ['the nodes of the leader have failed for a minute only', 101, { seconds: 60 }],
    ['it leads itself', 101, { isLeading: true }],
  ])('claims nothing when %s', async (_why, head, where) => {
    const { own, look } = open(head, where)
    await look()
    expect(own.claims).toBe(0)
  })

  it('may stand whatever its nodes say when there is no leader any more', async () => {
    const { look, isFit } = open(undefined, { ageMs: 15_001 })
    await look()
    expect(isFit()).toBe(true)
  })
})
