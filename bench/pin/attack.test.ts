import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '@chainboard/devnet'
import { expect, it, onTestFinished } from 'vitest'
import { type AttackPlan, attack } from './attack.ts'
import { earlyChoices, evenChoices, newChoices } from './pinChoices.ts'
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

// The rule of accounts in decision 61: 21 failures, and one more each 36 hours.
it('lets many addresses try one account 21 times in a day and 25 times in a week', async () => {
  const days: number[] = []
  const onDay = async (day: number) => void days.push(day)
  const states = await play({ addresses: 1_000, choices: earlyChoices, days: [1, 7], targets: 1, onDay })
  expect(states.map(({ tries }) => tries)).toEqual([21, 25])
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7])
  // The twenty most frequent PINs are 26.832 %, one other 73.168 % / 9,980.
  expect(states[0]?.expected).toBeCloseTo(0.26832 + 0.0000733, 6)
})

it('opens less than a hundredth of the accounts in 30 days, where easy PINs are refused', async () => {
  const [month] = await play({ addresses: 1_000, choices: newChoices, days: [30] }, 20)
  // 40 on each account, unless it was opened.
  expect(month?.tries).toBeGreaterThan(700)
  expect(month?.expected).toBeGreaterThan(0.1)
  expect(month?.expected).toBeLessThan(0.2)
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
