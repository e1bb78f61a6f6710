/** Whole tokens by symbol. */
export type Holdings = ReadonlyMap<string, number>
/** US dollars per whole token by symbol. What is not in it is worth nothing: an attacker's own token. */
export type Prices = ReadonlyMap<string, number>

/** Whole tokens that came to the attacker (positive) or left it, in the order of the chain. */
export type Move = { readonly symbol: string; readonly whole: number }

/** What an attack cost in US dollars: what the attacker held before less what it holds after, at the same prices. Negative: it gained. */
export function costUsd(before: Holdings, after: Holdings, prices: Prices): number {
  const worth = (holdings: Holdings) => [...holdings].reduce((sum, [symbol, whole]) => sum + whole * (prices.get(symbol) ?? 0), 0)
  return worth(before) - worth(after)
}

/** The most US dollars of its own that an attacker had out of its hands at once, also in the middle of a transaction. */
export function capitalUsd(moves: readonly Move[], prices: Prices): number {
  const away = new Map<string, number>()
  let most = 0
  for (const { symbol, whole } of moves) {
    away.set(symbol, (away.get(symbol) ?? 0) - whole)
    const out = [...away].reduce((sum, [each, wholeAway]) => sum + Math.max(0, wholeAway) * (prices.get(each) ?? 0), 0)
    most = Math.max(most, out)
  }
  return most
}
