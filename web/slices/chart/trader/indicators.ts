import { BollingerBands, EMA, MACD, RSI, SMA } from 'trading-signals'
import type { IndicatorKey } from './indicatorNames.ts'

/** A line of an indicator: one value for each close; undefined while too few came before. */
type Line = { readonly name: LineName; readonly values: readonly (number | undefined)[] }
export type LineName = 'sma' | 'ema' | 'upper' | 'middle' | 'lower' | 'rsi' | 'macd' | 'signal' | 'histogram'

const smaCloses = 20
const emaCloses = 50
const bandCloses = 20
const bandDeviations = 2
const rsiCloses = 14
const [macdShort, macdLong, macdSignal] = [12, 26, 9]

type Indicator<Result> = { add(close: number): Result | null; readonly isStable: boolean }

function feed<Result>(indicator: Indicator<Result>, closes: readonly number[]): readonly (Result | undefined)[] {
  return closes.map((close) => {
    const result = indicator.add(close)
    return indicator.isStable ? (result ?? undefined) : undefined
  })
}

/** The lines of an indicator over closing prices, oldest first. Pure. */
export function toLines(key: IndicatorKey, closes: readonly number[]): readonly Line[] {
  if (key === 'sma') return [{ name: 'sma', values: feed(new SMA(smaCloses), closes) }]
  if (key === 'ema') return [{ name: 'ema', values: feed(new EMA(emaCloses), closes) }]
  if (key === 'rsi') return [{ name: 'rsi', values: feed(new RSI(rsiCloses), closes) }]
  if (key === 'bollinger') {
    const bands = feed(new BollingerBands(bandCloses, bandDeviations), closes)
    return (['upper', 'middle', 'lower'] as const).map((name) => ({ name, values: bands.map((band) => band?.[name]) }))
  }
  const results = feed(new MACD(new EMA(macdShort), new EMA(macdLong), new EMA(macdSignal)), closes)
  return (['macd', 'signal', 'histogram'] as const).map((name) => ({ name, values: results.map((result) => result?.[name]) }))
}
