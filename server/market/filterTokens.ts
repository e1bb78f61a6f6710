import { daySeconds, numberToE18, type TokenFilter } from '@chainboard/core'
import type { TokenMarket } from './tokenMarket.ts'

type Test = (market: TokenMarket) => boolean

/**
 * Whether a token is one of those that a filter lets through. A figure that is not known lets no token through.
 * @param nowSeconds what time it is on the chain
 * @returns undefined for a filter that restricts nothing
 */
export function toTest(filter: TokenFilter, nowSeconds: number): Test | undefined {
  const tests = listTests(filter, nowSeconds)
  return tests.length === 0 ? undefined : (market) => tests.every((test) => test(market))
}

/** Percent. A smaller change is shown as 0.00%: who asks for losers is surprised by it. */
const shownChangeMin = 0.005

function listTests({ category, verified, liquidityMinUsd, newDays, move, warned }: TokenFilter, nowSeconds: number): Test[] {
  const tests: Test[] = []
  if (category !== undefined) tests.push(({ token }) => token.category === category)
  if (verified !== undefined) tests.push(({ token }) => token.verified === verified)
  if (warned !== undefined) tests.push(({ warnings }) => warnings.length > 0 === warned)
  if (liquidityMinUsd !== undefined) tests.push(hasDepth(liquidityMinUsd))
  if (newDays !== undefined) tests.push(tradedSince(nowSeconds - newDays * daySeconds))
  if (move === 'gainers') tests.push(({ change24hPercent = 0 }) => change24hPercent >= shownChangeMin)
  if (move === 'losers') tests.push(({ change24hPercent = 0 }) => change24hPercent <= -shownChangeMin)
  return tests
}

function hasDepth(minUsd: number): Test {
  const minUsdE18 = numberToE18(minUsd) ?? 0n
  return ({ depthUsdE18 }) => depthUsdE18 !== undefined && depthUsdE18 >= minUsdE18
}

function tradedSince(fromSeconds: number): Test {
  return ({ firstTradeAtSeconds }) => firstTradeAtSeconds !== undefined && firstTradeAtSeconds >= fromSeconds
}
