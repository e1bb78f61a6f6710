import { setImmediate } from 'node:timers/promises'
import { type Address, type Hex, rawToNumber, repeatTurns } from '@chainboard/core'
import { callMany, type ViewAnswer } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { Store } from '../store/store.ts'
import { listTokenFacts, updateSupplies } from '../store/tokens.ts'
import { createMending, type MendTokens } from './mendTokens.ts'

const selectors = { totalSupply: '0x18160ddd', decimals: '0x313ce567' } as const
const everyMs = 30_000
/** Asked in a turn: eight multicalls. 20,000 tokens take five minutes. */
const tokensPerTurn = 2_000

/** Answers that are taken up at once. In between, others have their turn. */
const tokensAtOnce = 50

/** What a token's contract says now, and what the index has. Supplies are whole tokens, by the decimals of the index. */
export type TokenReading = {
  readonly supply: number
  /** 0 where it was never known. */
  readonly storedSupply: number
  readonly decimals: number
  /** Undefined when the contract does not answer or answers nonsense. */
  readonly decimalsOnChain: number | undefined
}

export type SupplyDeps = {
  readonly chain: Pick<Chain, 'forward'>
  readonly store: Store
  readonly multicall: Address
  /** Called with every answer of the chain. */
  readonly onReading: (token: Address, reading: TokenReading) => void
  readonly log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Keeps how many there are of each token, which are minted, burned and rebased, and asks those again that had no name. */
export function followSupplies(deps: SupplyDeps): { stop(): Promise<void> } {
  const { log, nowMs, pause } = deps
  const ask = createMending(deps)
  let next: Address | undefined
  const mend: MendTokens = async (tokens) => {
    const mended = await ask(tokens)
    if (mended.length > 0) log.info({ tokens: mended }, 'Tokens now report names or decimals that they did not report before')
    return mended
  }
  const turn = async () => {
    next = await takeTurn({ ...deps, mend }, next)
    return everyMs
  }
  return repeatTurns(turn, {
    ...{ nowMs, pause, log, firstMs: everyMs, retryMs: everyMs },
    texts: {
      failure: 'Token supplies cannot be read; the server retries every 30 s',
      bug: 'Following the supplies failed because of a bug and restarts',
    },
  })
}

type Turn = Pick<SupplyDeps, 'chain' | 'store' | 'multicall' | 'onReading'> & { readonly mend: MendTokens }

/**
 * Asks the next tokens and stores what changed. A token that does not answer keeps the supply it had. Those without a name are asked
 * for it again.
 * @param from the first token of this turn; undefined: from the beginning
 * @returns the first token of the next turn
 * @throws Failure as the node and the store do
 */
export async function takeTurn(
  { chain, store, multicall, onReading, mend }: Turn,
  from: Address | undefined,
): Promise<Address | undefined> {
  const tokens = await listTokenFacts(store.read, { from, limit: tokensPerTurn + 1 })
  const turn = tokens.slice(0, tokensPerTurn)
  const ask = (data: Hex) => turn.map(({ address }) => ({ to: address, data }))
  const calls = [...ask(selectors.totalSupply), ...ask(selectors.decimals)]
  const answers = await callMany(chain, calls, { multicall, block: 'latest' })
  const changed: { readonly address: Address; readonly totalSupplyRaw: bigint }[] = []
  for (const [i, { address, totalSupplyRaw: before, decimals }] of turn.entries()) {
    if (i % tokensAtOnce === 0) await setImmediate()
    const totalSupplyRaw = toInteger(answers[i])
    if (totalSupplyRaw === undefined) continue
    if (decimals !== undefined) {
      const [supply, storedSupply] = [rawToNumber(totalSupplyRaw, decimals), rawToNumber(before, decimals)]
      onReading(address, { supply, storedSupply, decimals, decimalsOnChain: toDecimals(answers[turn.length + i]) })
    }
    if (totalSupplyRaw !== before) changed.push({ address, totalSupplyRaw })
  }
  if (changed.length > 0) await store.write((tx) => updateSupplies(tx, changed))
  await mend(turn)
  return tokens[tokensPerTurn]?.address
}

/** One byte, as for the index. */
function toDecimals(answer: ViewAnswer): number | undefined {
  const value = toInteger(answer)
  return value === undefined || value > 255n ? undefined : Number(value)
}

function toInteger(answer: ViewAnswer): bigint | undefined {
  return answer?.length === 66 ? BigInt(answer) : undefined
}
