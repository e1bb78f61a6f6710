import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '@chainboard/devnet'
import { expect, it, onTestFinished } from 'vitest'
import { type AttackPlan, attack } from './attack.ts'
import { earlyChoices, evenChoices, newChoices, stubbornChoices } from './pinChoices.ts'
import { openSimWorld } from './simWorld.ts'

async function play(plan: Partial<AttackPlan> & Pick<AttackPlan, 'addresses' | 'choices' | 'days'>, users = 300) {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-pin-'))
  const world = await openSimWorld(folder, { users, choices: plan.choices, random: createRandom('1').next })
  onTestFinished(async () => {
    await world.store.close()
    rmSync(folder, { recursive: true })
  })
  return attack(world, { ...plan, signal: new AbortController().signal })
}

it('lets one address try 36 times in a day and 180 times in a week', async () => {
  const states = await play({ addresses: 1, choices: evenChoices, days: [1, 7] })
  expect(states.map(({ days, tries }) => [days, tries])).toEqual([
    [1, 36],
    [7, 180],
  ])
  // Each of the 10,000 PINs is as frequent: 36 tries open 0.0036 accounts on average.
  expect(states[0]?.expected).toBeCloseTo(0.0036, 12)
})

// The rule of accounts in decision 73: 21 failures, and one more each 60 hours.
it('lets many addresses try one account 21 times in a day and 23 times in a week', async () => {
  const days: number[] = []
  const onDay = async (day: number) => void days.push(day)
  const states = await play({ addresses: 1_000, choices: earlyChoices, days: [1, 7], targets: 1, onDay })
  expect(states.map(({ tries }) => tries)).toEqual([21, 23])
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7])
  // The twenty most frequent PINs are 26.832 %, one other easy one is 31 % / 1,723.
  expect(states[0]?.expected).toBeCloseTo(0.26832 + 0.00018, 5)
})

it('opens less than a hundredth of the accounts in 30 days, where easy PINs are refused', async () => {
  const [month] = await play({ addresses: 1_000, choices: newChoices, days: [30] }, 20)
  // 32 on each account, unless it was opened.
  expect(month?.tries).toBeGreaterThan(600)
  expect(month?.expected).toBeGreaterThan(0.1)
  expect(month?.expected).toBeLessThan(0.2)
})

it('opens less than one of a hundred accounts in 30 days, whatever PINs people chose', { timeout: 60_000 }, async () => {
  for (const choices of [stubbornChoices, earlyChoices]) {
    const [month] = await play({ addresses: 1_000, choices, days: [30] }, 100)
    expect(month?.expected).toBeGreaterThan(0.8)
    expect(month?.expected).toBeLessThan(1)
  }
})

it('ends when the benchmark is stopped', async () => {
  const stopped = new AbortController()
  stopped.abort(new Error('Stopped by SIGINT'))
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-pin-'))
  const world = await openSimWorld(folder, { users: 2, choices: evenChoices, random: createRandom('1').next })
  const plan = { addresses: 1, choices: evenChoices, days: [1], signal: stopped.signal }
  await expect(attack(world, plan)).rejects.toThrow('Stopped by SIGINT')
  await world.store.close()
  rmSync(folder, { recursive: true })
})
