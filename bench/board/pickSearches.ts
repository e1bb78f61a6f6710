import type { Entry } from './generateTokens.ts'

/** What somebody types, and how many tokens of the whole list have it in their name or symbol. */
export type Search = { readonly text: string; readonly total: number }

const lettersMin = 2
const lettersMax = 5

/**
 * Beginnings of names, spread over the list. The last letter of each changes how many tokens match, so that the answer to it can be told
 * from the one before; and none was typed before on the way to another, so that none is answered from what the page knows.
 */
export function pickSearches(tokens: readonly Entry[], count: number): Search[] {
  const texts = tokens.map(({ name, symbol }) => `${name}\n${symbol}`.toLowerCase())
  const countMatches = (text: string) => texts.filter((each) => each.includes(text)).length
  const searches: Search[] = []
  const asked = new Set<string>()
  for (let i = 0; searches.length < count && i < 50 * count; i += 1) {
    // A step that has no divisor in common with the length comes by every token.
    const letters = lettersMin + (i % (lettersMax - lettersMin + 1))
    const text = texts[(i * 7_919) % texts.length]?.slice(0, letters) ?? ''
    if (text.length < letters || /[^a-z]/.test(text) || asked.has(text)) continue
    const total = countMatches(text)
    if (total === countMatches(text.slice(0, -1))) continue
    for (let end = 1; end <= text.length; end += 1) asked.add(text.slice(0, end))
    searches.push({ text, total })
  }
  return searches
}
