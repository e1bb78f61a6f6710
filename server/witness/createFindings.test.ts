import { expect, it } from 'vitest'
import { createFindings } from './createFindings.ts'

const backing = { isProven: true, agreeing: 1, voices: 1, claim: '' }
const wrong = (block: number, liars: readonly number[] = []) => ({ block, liars, backing })

function open({ mayRepair = true, go = true } = {}) {
  const [left, distrusted]: [number[], number[]] = [[], []]
  const stopping = new AbortController()
  const findings = createFindings({
    nodes: [1, 2],
    repairs: { mayRepair: () => mayRepair },
    claims: { judge: () => go },
    second: { leave: (block) => void left.push(block) },
    distrust: (place) => void distrusted.push(place),
    signal: stopping.signal,
  })
  return { findings, left, distrusted, stop: () => stopping.abort() }
}

it('what was found is handed over once, and stays known to the second reading', async () => {
  const { findings, left } = open()
  await findings.find(findings.begin(), 10, async () => wrong(7))
  await findings.find(findings.begin(), 10, async () => wrong(3))
  expect([findings.found(), findings.take(), findings.take(), left]).toEqual([7, 7, undefined, [7]])
})

it('what a search finds is void after the index was taken back, and after something was handed over', async () => {
  const { findings } = open()
  const before = findings.begin()
  findings.rolledBack()
  await findings.find(before, 10, async () => wrong(7))
  expect([before.isVoid(), before.isOver(), findings.found()]).toEqual([true, true, undefined])
  const search = findings.begin()
  await findings.find(search, 10, async () => wrong(7))
  findings.take()
  expect([search.isVoid(), findings.judge(search, wrong(7), 10)]).toEqual([true, undefined])
})

it('a search is over, and not void, when the server stops', () => {
  const { findings, stop } = open()
  const search = findings.begin()
  expect(search.isOver()).toBe(false)
  stop()
  expect([search.isVoid(), search.isOver()]).toEqual([false, true])
})

it('a block waits while its repairs do, and while more than one node has to say so', () => {
  for (const refusal of [{ mayRepair: false }, { go: false }]) {
    const { findings, left } = open(refusal)
    expect(findings.judge(findings.begin(), wrong(7), 10)).toBeUndefined()
    expect(left).toEqual([7])
  }
})

it('what lies above the index is not missing in it', () => {
  const { findings, left } = open()
  expect(findings.judge(findings.begin(), wrong(11), 10)).toBeUndefined()
  expect([findings.judge(findings.begin(), wrong(10), 10), left]).toEqual([10, []])
})

it('nodes that left it out come last, but not when all of them did', () => {
  const { findings, distrusted } = open()
  findings.judge(findings.begin(), wrong(7, [1]), 10)
  findings.judge(findings.begin(), wrong(7, [0, 1]), 10)
  expect(distrusted).toEqual([1])
})
