import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterPaint } from './afterPaint.ts'

const frames: FrameRequestCallback[] = []
const nextFrame = () => frames.shift()?.(0)

beforeEach(() => {
  vi.useFakeTimers()
  frames.length = 0
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => frames.push(call))
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames.length = 0
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('acts once the frame after the next one has begun, and is through', () => {
  const act = vi.fn()
  afterPaint(act)
  nextFrame()
  vi.runAllTimers()
  expect(act).not.toHaveBeenCalled()
  nextFrame()
  expect(act).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(act).toHaveBeenCalledOnce()
})

it('does not wait for frames in a tab that nobody sees', () => {
  vi.stubGlobal('document', { hidden: true })
  const act = vi.fn()
  afterPaint(act)
  vi.runAllTimers()
  expect(act).toHaveBeenCalledOnce()
})

it.each([0, 1, 2])('does not act when it was stopped after %i frames', (count) => {
  const act = vi.fn()
  const stop = afterPaint(act)
  for (let i = 0; i < count; i += 1) nextFrame()
  stop()
  nextFrame()
  nextFrame()
  vi.runAllTimers()
  expect(act).not.toHaveBeenCalled()
})
