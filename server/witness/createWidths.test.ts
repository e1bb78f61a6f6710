import { Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createWidths } from './createWidths.ts'

const refusal = (kind: string) => new Failure('rpc-refused', kind, { detail: { refusal: kind }, retryable: true })

it('a node that reads few blocks at a time, or says so, makes the spans of the others no narrower', () => {
  const widths = createWidths()
  for (let times = 0; times < 6; times += 1) widths.refused(0, refusal('range-too-wide'))
  widths.fit(0, 0)
  widths.fit(1, 0)
  expect([widths.of(0), widths.of(1), widths.of(2)]).toEqual([7, 1_000, 500])
})

it('a span that held too much is followed by wider ones again', () => {
  const widths = createWidths()
  widths.refused(0, refusal('too-many-results'))
  widths.fit(0, 10)
  expect(widths.of(0)).toBe(500)
})

it('no refusal of another kind, and no busy block, makes a span narrower than a block', () => {
  const widths = createWidths()
  widths.refused(0, refusal('rate-limit'))
  expect(widths.of(0)).toBe(500)
  widths.fit(0, 10_000_000)
  widths.refused(0, refusal('range-too-wide'))
  expect(widths.of(0)).toBe(1)
})
