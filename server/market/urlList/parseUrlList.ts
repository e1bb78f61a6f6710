import { fieldsOf, parseAddress } from '@chainboard/core'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { findProblems, type Problem, show } from '../../findProblems.ts'
import { listedMax, type TokenListEntry } from '../tokenList.ts'

/** What a tokenlists.org list says of one token, as far as it is used. */
const entrySchema = Type.Object({
  chainId: Type.Integer(),
  address: Type.String({ maxLength: 42 }),
  name: Type.String({ minLength: 1, maxLength: 60, description: 'a name of 1 to 60 characters' }),
  symbol: Type.String({ minLength: 1, maxLength: 20, description: 'a symbol of 1 to 20 characters' }),
  decimals: Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' }),
})
const entryCheck = Compile(entrySchema)
/** Problems up to which each broken token is explained: that takes its time. */
const explainedMax = 100
const logoMax = 2_000
/** Texts of a list that is not ours are shown, and searched. */
const category = 'Other'

/** `problems`: why the list as a whole is none. `leftOut`: tokens of this chain that it says wrong. */
export type ParsedUrlList = {
  readonly entries: readonly TokenListEntry[]
  readonly leftOut: readonly Problem[]
  readonly problems: readonly Problem[]
}

/**
 * The tokens of one chain in a list of the tokenlists.org format. Pure. Nobody here has looked at them: none is `verified`. Tokens of
 * other chains are passed over, whatever is wrong with them.
 */
export function parseUrlList(value: unknown, chainId: number): ParsedUrlList {
  const { tokens } = fieldsOf(value)
  if (!Array.isArray(tokens)) return refuse({ field: 'tokenList.tokens', found: show(tokens), wanted: 'a list of tokens' })
  const ours = tokens.flatMap((token: unknown, place) => (fieldsOf(token)['chainId'] === chainId ? [{ token, place }] : []))
  if (ours.length === 0)
    return refuse({
      field: 'tokenList.tokens',
      found: `${tokens.length} tokens of other chains`,
      wanted: `tokens of chain ${chainId}`,
    })
  if (ours.length > listedMax)
    return refuse({ field: 'tokenList.tokens', found: `${ours.length} tokens`, wanted: `a list of at most ${listedMax} tokens` })
  const seen = new Set<string>()
  const entries: TokenListEntry[] = []
  const leftOut: Problem[] = []
  for (const { token, place } of ours) {
    const field = `tokenList.tokens.${place}`
    if (!entryCheck.Check(token)) {
      leftOut.push(
        ...(leftOut.length < explainedMax
          ? findProblems(entrySchema, token, field)
          : [{ field, found: show(token), wanted: 'a token' }]),
      )
      continue
    }
    const id = parseAddress(token.address)
    if (!id)
      leftOut.push({ field: `${field}.address`, found: show(token.address), wanted: 'an address: 0x and 40 hexadecimal digits' })
    else if (seen.has(id)) leftOut.push({ field: `${field}.address`, found: show(token.address), wanted: 'an address once' })
    else {
      seen.add(id)
      const { name, symbol, address, decimals } = token
      entries.push({ name, symbol, address, decimals, logo: toLogo(token), category, verified: false })
    }
  }
  return { entries, leftOut, problems: [] }
}

function refuse(problem: Problem): ParsedUrlList {
  return { entries: [], leftOut: [], problems: [problem] }
}

/** A picture on the web; anything else that a list may name (`ipfs:`, `data:`, a script) is none. */
function toLogo(token: object): string {
  const uri = fieldsOf(token)['logoURI']
  return typeof uri === 'string' && uri.length <= logoMax && /^https?:$/.test(URL.parse(uri)?.protocol ?? '') ? uri : ''
}
