import { describe, expect, it } from 'vitest'
import type { Budget } from './budgets.ts'
import { createMeter } from './createMeter.ts'

const open = (budget: Budget = { windowSeconds: 60, address: 10, network: 25 }) => {
  const clock = { ms: 5_000 }
  return { clock, meter: createMeter(budget, () => clock.ms) }
}

describe('a meter', () => {
  it('takes costs until the address has too little left, tells what remains, and begins again with the next window', () => {
    const { clock, meter } = open()
    expect(meter.spend('192.0.2.1', 7)).toEqual({
      ...{ ok: true, of: 'address', limit: 10, windowSeconds: 60, remaining: 3, resetSeconds: 60 },
    })
    clock.ms += 20_500
    expect(meter.spend('192.0.2.1', 4)).toMatchObject({ ok: false, of: 'address', remaining: 3, resetSeconds: 40 })
    expect(meter.spend('192.0.2.1', 3)).toMatchObject({ ok: true, remaining: 0 })
    expect(meter.spend('192.0.3.1')).toMatchObject({ ok: true, remaining: 9 })
    clock.ms += 39_499
    expect(meter.spend('192.0.2.1').ok).toBe(false)
    clock.ms += 1
    expect(meter.spend('192.0.2.1')).toMatchObject({ ok: true, remaining: 9, resetSeconds: 60 })
  })

  it('takes no more from all addresses of a network than the network has, and nothing of one that is refused', () => {
    const { meter } = open()
    const answers = ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64'].map((client) => meter.spend(client, 10))
    expect(answers.map(({ ok, of }) => [ok, of])).toEqual([
      [true, 'address'],
      [true, 'address'],
      [false, 'network'],
    ])
    expect(meter.spend('2001:db8:1:3::/64', 5)).toMatchObject({ ok: true, of: 'network', remaining: 0 })
    expect(meter.spend('2001:db8:2:3::/64', 10).ok).toBe(true)
  })

  it('keeps a fifth of what the site has for those who have used little', () => {
    const { meter } = open({ windowSeconds: 60, address: 100, network: 400, site: 500 })
    for (let i = 0; i < 4; i += 1) expect(meter.spend(`10.0.${i}.1`, 99).ok).toBe(true)
    expect(meter.spend('10.0.0.1', 1)).toMatchObject({ ok: true, remaining: 0 })
    expect(meter.spend('10.0.1.1', 1)).toMatchObject({ ok: true })
    expect(meter.spend('10.0.2.1', 1)).toMatchObject({ ok: true })
    expect(meter.spend('10.0.3.1', 1)).toMatchObject({ ok: true })
    expect(meter.spend('10.0.9.1', 4)).toMatchObject({ ok: true, of: 'address' })
    expect(meter.spend('10.0.9.1', 4)).toMatchObject({ ok: true })
    expect(meter.spend('10.0.9.1', 1)).toMatchObject({ ok: false, of: 'site', limit: 500 })
    expect(meter.spend('10.0.10.1', 1).ok).toBe(true)
  })

  it('is owed what a call cost afterwards, for three windows at most', () => {
    const { clock, meter } = open()
    meter.spend('192.0.2.1')
    meter.charge('192.0.2.1', 14)
    expect(meter.spend('192.0.2.1')).toMatchObject({ ok: false, remaining: 0, resetSeconds: 60 })
    clock.ms += 60_000
    expect(meter.spend('192.0.2.1', 5)).toMatchObject({ ok: true, remaining: 0 })
    meter.charge('192.0.2.1', 1_000)
    clock.ms += 120_000
    expect(meter.spend('192.0.2.1').ok).toBe(false)
    clock.ms += 60_000
    expect(meter.spend('192.0.2.1').ok).toBe(true)
  })
})
