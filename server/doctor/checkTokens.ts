import { type Finding, ok, warn } from '../finding.ts'
import { toAddress } from '../networkFile.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { hasCodeAt } from './findCreationBlock.ts'
import { judgeToken, type TokenClaim } from './judgeToken.ts'

/** Tokens of the list that are looked at; two calls each. */
export const tokensMax = 2_000
/** Tokens asked about at once: their calls fit into one request. */
const chunkSize = 16

/** Looks at the tokens that the network file names, one line each. */
export async function checkNamedTokens(run: DoctorRun, node: UsableNode): Promise<void> {
  const { chain, wrappedNative, usdc, otherStables = [], prices } = run.examined.network
  const claims: TokenClaim[] = [
    { field: 'wrappedNative', ...wrappedNative, decimals: chain.nativeCurrency.decimals },
    { field: 'usdc', ...usdc, symbol: undefined },
    ...otherStables.map((address, i) => ({ field: `otherStables.${i}`, address, symbol: undefined, decimals: undefined })),
    ...(prices.quotes ?? []).map((address, i) => ({
      ...{ field: `prices.quotes.${i}`, address },
      ...{ symbol: undefined, decimals: undefined },
    })),
  ]
  for (const finding of await readFindings(run, node, claims)) run.say(finding)
}

/** Looks at every token of the list: one line for what is wrong, and one for all that is right. */
export async function checkListedTokens(run: DoctorRun, node: UsableNode): Promise<void> {
  const { tokens } = run.examined
  const claims = tokens.slice(0, tokensMax).map(({ address, symbol, decimals, supply }, i) => ({
    field: `assets.json.${i} (${symbol})`,
    address,
    symbol,
    decimals,
    supply,
  }))
  let right = 0
  for (let from = 0; from < claims.length && !run.signal.aborted; from += chunkSize) {
    for (const finding of await readFindings(run, node, claims.slice(from, from + chunkSize))) {
      if (finding.level === 'ok') right += 1
      else run.say(finding)
    }
  }
  if (right > 0) run.say(ok('assets.json', `${right} of ${tokens.length} tokens are on the chain as the list says`))
  if (tokens.length > tokensMax)
    run.say(
      warn({
        field: 'assets.json',
        found: `${tokens.length} tokens`,
        wanted: `${tokensMax}`,
        todo: 'The rest was not checked',
      }),
    )
}

async function readFindings(run: DoctorRun, node: UsableNode, claims: readonly TokenClaim[]): Promise<Finding[]> {
  const { chain } = node
  const addresses = claims.map(({ address }) => toAddress(address))
  const read = await ask(
    node,
    async () => {
      const facts = await chain.readTokens(addresses)
      // Only where nothing answers does it matter whether there is a contract at all.
      const codes = await Promise.all(facts.map(({ address, decimals }) => decimals !== undefined || hasCodeAt(chain, address)))
      return { facts, codes }
    },
    run,
  )
  if (read.kind !== 'answer')
    return claims.map(({ field }) =>
      warn({ field, found: `"${read.said}"`, wanted: "the token's answers", todo: 'Not checked: try again' }),
    )
  const { facts, codes } = read.value
  return claims.flatMap((claim, i) => {
    const fact = facts[i]
    return fact ? [judgeToken(claim, fact, codes[i] ?? false)] : []
  })
}
