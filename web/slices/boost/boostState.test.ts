import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type BoostEvent, type BoostState, closedBoost, nextBoost, type StepEvent } from './boostState.ts'

const a = `0x${'aa'.repeat(32)}` as const
const b = `0x${'bb'.repeat(32)}` as const
const opened = nextBoost(closedBoost, { kind: 'opened' })
const now = (event: StepEvent): BoostEvent => ({ ...event, attempt: 1 })
const play = (...events: BoostEvent[]): BoostState => events.reduce(nextBoost, opened)

const pressed = { kind: 'pressed' } as const
const asked = now({ kind: 'walletAsked' })
const sent = now({ kind: 'sent', hash: a })
const confirmed = now({ kind: 'confirmed', hash: a })
const rested = now({ kind: 'rested' })
const covered = { kind: 'allowanceRead', covers: true } as const
const uncovered = { kind: 'allowanceRead', covers: false } as const
const approved = [pressed, asked, sent, confirmed] as const

describe('a boost', () => {
  it('is approved, rests for its second, is paid, and is done', () => {
    const seen: unknown[] = []
    const events = [...approved, rested, pressed, asked, now({ kind: 'sent', hash: b }), now({ kind: 'confirmed', hash: b })]
    events.reduce((state, event) => {
      const next = nextBoost(state, event)
      seen.push([next.step, next.status.kind, 'phase' in next.status ? next.status.phase : ''])
      return next
    }, opened)
    expect(seen).toEqual([
      ['approve', 'pending', 'checking'],
      ['approve', 'pending', 'wallet'],
      ['approve', 'pending', 'chain'],
      ['boost', 'success', ''],
      ['boost', 'idle', ''],
      ['boost', 'pending', 'checking'],
      ['boost', 'pending', 'wallet'],
      ['boost', 'pending', 'chain'],
      ['success', 'success', ''],
    ])
  })

  it('begins with the second step when the allowance covers the price, and goes back when it no longer does', () => {
    expect(play(covered)).toEqual({ attempt: 1, step: 'boost', status: { kind: 'idle' } })
    expect(play(covered, uncovered).step).toBe('approve')
    expect(play(...approved, uncovered).step).toBe('boost')
    expect(play(...approved, rested, uncovered).step).toBe('approve')
  })

  it('says why it stopped, and can be tried again', () => {
    const declined = now({ kind: 'failed', message: 'You declined the request in your wallet' })
    expect(play(pressed, asked, declined).status).toEqual({ kind: 'error', message: 'You declined the request in your wallet' })
    expect(play(pressed, asked, sent, declined).status).toMatchObject({ hash: a })
    expect(play(pressed, asked, declined, pressed).status).toEqual({ kind: 'pending', phase: 'checking' })
    expect(play(pressed, now({ kind: 'stopped', note: 'Dearer' })).status).toEqual({ kind: 'idle', note: 'Dearer' })
    expect(play(pressed, now({ kind: 'stopped' })).status).toEqual({ kind: 'idle' })
  })

  it('keeps what went wrong when the allowance moves it to the other step', () => {
    const failed = now({ kind: 'failed', message: 'no' })
    expect(play(covered, pressed, failed, uncovered)).toMatchObject({ step: 'approve', status: { kind: 'error', message: 'no' } })
  })

  it('follows a transaction that the wallet has sped up', () => {
    expect(play(pressed, asked, sent, now({ kind: 'spedUp', hash: b })).status).toEqual({
      kind: 'pending',
      phase: 'chain',
      hash: b,
      note: 'Your wallet replaced the transaction with this one.',
    })
  })

  it('of another wallet starts over, unless something is under way or done', () => {
    const changed = { kind: 'walletChanged' } as const
    expect(play(covered, changed).step).toBe('approve')
    expect(play(pressed, now({ kind: 'failed', message: 'no' }), changed).status).toEqual({ kind: 'idle' })
    for (const story of [[pressed], [pressed, asked, sent], approved, [covered, ...approved]]) {
      const state = play(...story)
      expect(nextBoost(state, changed)).toBe(state)
    }
  })

  it('opened again knows nothing of before, and late answers of before change nothing', () => {
    const again = nextBoost(play(pressed, asked), { kind: 'opened' })
    expect(again).toEqual({ attempt: 2, step: 'approve', status: { kind: 'idle' } })
    for (const late of [sent, confirmed, rested, now({ kind: 'failed', message: 'late' })])
      expect(nextBoost(again, late)).toBe(again)
  })
})

const anyEvent: fc.Arbitrary<BoostEvent> = fc.oneof(
  fc.constantFrom<BoostEvent>(pressed, covered, uncovered, { kind: 'opened' }, { kind: 'walletChanged' }),
  fc.record({
    kind: fc.constantFrom('stopped', 'walletAsked', 'sent', 'spedUp', 'confirmed', 'failed', 'rested'),
    hash: fc.constantFrom(a, b),
    message: fc.constant('no'),
    attempt: fc.integer({ min: 1, max: 3 }),
  }) as fc.Arbitrary<BoostEvent>,
)

test('whatever happens, nothing is sent without a press, and nothing succeeds that was not sent', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      let state = opened
      for (const event of events) {
        const before = state
        state = nextBoost(before, event)
        const moved = state.status.kind === 'pending' ? state.status.phase : state.status.kind
        const was = before.status.kind === 'pending' ? before.status.phase : before.status.kind
        if (moved === was && state.step === before.step) continue
        if (moved === 'checking') expect(event.kind).toBe('pressed')
        if (moved === 'wallet') expect(was).toBe('checking')
        if (moved === 'chain') expect(was).toBe('wallet')
        if (moved === 'success') expect(was).toBe('chain')
        if (state.step === 'success') expect([before.step, was]).toEqual(['boost', 'chain'])
        // Only opening leads out of a boost that is done.
        if (before.step === 'success') expect(event.kind).toBe('opened')
      }
    }),
  )
})
