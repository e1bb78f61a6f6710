import { expect, test } from 'vitest'
import { candleLook } from './candleLook.ts'

test('a rising candle is hollow and a falling one is full, so that both can be told apart without colour', () => {
  const { upColor, borderUpColor, downColor, borderVisible } = candleLook({ up: 'rgb(1, 1, 1)', down: 'rgb(1, 1, 1)' })
  expect({ upColor, borderUpColor, downColor, borderVisible }).toEqual({
    upColor: 'transparent',
    borderUpColor: 'rgb(1, 1, 1)',
    downColor: 'rgb(1, 1, 1)',
    borderVisible: true,
  })
})
