/** What can be drawn besides the candles. What it is worked out with is in `indicators.ts`, which comes with the canvas. */
export const indicatorNames = {
  sma: 'Moving average, 20 candles',
  ema: 'Exponential average, 50 candles',
  bollinger: 'Bollinger bands, 20 candles, 2 σ',
  rsi: 'RSI, 14 candles',
  macd: 'MACD 12, 26, 9',
} as const

export type IndicatorKey = keyof typeof indicatorNames

/** Those that have a pane of their own below the prices. */
export const ownPane: readonly IndicatorKey[] = ['rsi', 'macd']

function isIndicator(text: string): text is IndicatorKey {
  return Object.hasOwn(indicatorNames, text)
}

/** All of them, as menus list them. */
export const indicatorKeys: readonly IndicatorKey[] = Object.keys(indicatorNames).filter(isIndicator)
