import type { WireToken } from '@chainboard/contract'
import { toDisplayText, type WarningCode } from '@chainboard/core'

const warningsMax = 6
const charsMax = 400

/** What a warning is about, where there is room for a few words alone. */
const labels: Readonly<Record<WarningCode, string>> = {
  lookalike: 'looks like a verified token',
  'cannot-sell': 'could not be sold in a simulation',
  'sell-tax': 'taxed when traded',
  'pool-short': 'pool holds less than it should',
  'off-peg': 'off its peg',
  'supply-contradicts': 'supply differs from the chain',
  'supply-changed': 'supply changed',
  'decimals-changed': 'decimals changed',
  'one-provider': 'one provider owns most of its liquidity',
}

/** `Warning: off its peg, supply changed`; `undefined` without any. */
export function nameWarnings({ warnings }: WireToken): string | undefined {
  const names = new Set(warnings.map(({ code }) => labels[code] ?? 'see the details'))
  return names.size === 0 ? undefined : `Warning: ${[...names].join(', ')}`
}

/** The server's sentences as lines of text: names of tokens are in them. */
export function listWarnings({ warnings }: WireToken): string[] {
  const texts = warnings.slice(0, warningsMax).map(({ text }) => toDisplayText(text, '', charsMax))
  return [...new Set(texts)].filter((text) => text !== '')
}
