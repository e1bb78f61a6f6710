import { type Address, absolute } from '@chainboard/core'
import { looksAlike } from '../market/warnings/toSkeleton.ts'

/** A token that its symbol calls a dollar. Value and depth are in the wrapped coin. */
export type DollarCandidate = {
  readonly address: Address
  readonly symbol: string
  readonly valueE18: bigint
  readonly depthE18: bigint
}

/** `stables`: the main one first. `doubt`: why a person has to say it, whatever was found. */
export type StablePick = {
  readonly stables: readonly DollarCandidate[]
  readonly leftOut: readonly { readonly token: DollarCandidate; readonly why: string }[]
  readonly doubt: string | undefined
}

/** Dollars differ by no more than this from each other: 3 %. */
const spreadPer10000 = 300n
/** Shallower ones are no evidence: a hundredth of the deepest. */
const noiseDivisor = 100n
/** One that trades elsewhere with this share of the depth of those that agree makes it unknown which are dollars: a tenth. */
const doubtDivisor = 10n
const stablesMax = 5

const dollarNames = /USD|^X?DAI$|^WXDAI$|^FRAX$|^MIM$/i

/** Whether a symbol calls itself a US dollar. That is no evidence: anybody may take any symbol. */
export function isCalledDollar(symbol: string): boolean {
  return dollarNames.test(symbol.normalize('NFKC'))
}

/**
 * Which tokens are dollars: the one that trades deepest against the coin, which costs its provider real coins, and those at about
 * the same price. Two of one symbol, or a deep one at another price, leave it open. Pure.
 */
export function pickStables(candidates: readonly DollarCandidate[]): StablePick {
  const [main, ...others] = candidates.toSorted((a, b) => (b.depthE18 > a.depthE18 ? 1 : b.depthE18 < a.depthE18 ? -1 : 0))
  if (!main) return { stables: [], leftOut: [], doubt: undefined }
  const stables = [main]
  const leftOut: { token: DollarCandidate; why: string }[] = []
  const doubts: string[] = []
  for (const token of others) {
    const isNoise = token.depthE18 * noiseDivisor < main.depthE18
    const twin = stables.find(({ symbol }) => looksAlike(symbol, token.symbol))
    if (isNoise) leftOut.push({ token, why: 'its depth against the coin is under a hundredth of the deepest one' })
    else if (twin) {
      leftOut.push({ token, why: `${twin.address} has the same symbol` })
      doubts.push(`two tokens use the symbol ${twin.symbol}: ${twin.address} and ${token.address}`)
    } else if (!agree(main, token)) {
      leftOut.push({ token, why: `it trades at a different price than ${main.symbol}` })
      if (token.depthE18 * doubtDivisor >= sumDepth(stables))
        doubts.push(`${main.symbol} (${main.address}) and ${token.symbol} (${token.address}) trade at different prices`)
    } else if (stables.length < stablesMax) stables.push(token)
  }
  return { stables, leftOut, doubt: doubts.length > 0 ? doubts.join('; ') : undefined }
}

function agree(main: DollarCandidate, token: DollarCandidate): boolean {
  return absolute(token.valueE18 - main.valueE18) * 10_000n <= main.valueE18 * spreadPer10000
}

function sumDepth(tokens: readonly DollarCandidate[]): bigint {
  return tokens.reduce((sum, { depthE18 }) => sum + depthE18, 0n)
}
