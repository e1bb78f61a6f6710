import { type Address, Failure, rawToNumber, supervise } from '@chainboard/core'
import { callMany, type ViewAnswer } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { Store } from '../store/store.ts'
import { listSupplies, updateSupplies } from '../store/tokens.ts'

/** Selector of `totalSupply()`. */
const totalSupply = '0x18160ddd'
const everyMs = 30_000
/** Asked in a turn: four multicalls. 20,000 tokens take five minutes. */
const tokensPerTurn = 2_000

export type SupplyDeps = {
  readonly chain: Pick<Chain, 'forward'>
  readonly store: Store
  readonly multicall: Address
  /** Called with every answer of the chain, in whole tokens. */
  readonly onSupply: (token: Address, supply: number) => void
  readonly log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Keeps how many there are of each token: they are minted, burned and rebased. */
export function followSupplies(deps: SupplyDeps): { stop(): Promise<void> } {
  const { log, nowMs, pause } = deps
  const ending = new AbortController()
  const { signal } = ending
  let next: Address | undefined
  let isFailing = false
  const run = async () => {
    while (!signal.aborted) {
      await pause(everyMs, signal)
      if (signal.aborted) return
      try {
        next = await takeTurn(deps, next)
        isFailing = false
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (!isFailing) log.warn({ err: error }, 'The supplies of tokens cannot be read; the server tries again every 30 s')
        isFailing = true
      }
    }
  }
  const done = supervise(run, {
    signal,
    nowMs,
    pause,
    onFault: (err, retryInMs) => log.error({ err, retryInMs }, 'Following the supplies failed by a bug: it starts again'),
  })
  return {
    stop: () => {
      ending.abort()
      return done
    },
  }
}

/**
 * Asks the next tokens and stores what changed. A token that does not answer keeps the supply it had.
 * @param from the first token of this turn; undefined: from the beginning
 * @returns the first token of the next turn
 * @throws Failure as the node and the store do
 */
export async function takeTurn(
  { chain, store, multicall, onSupply }: Pick<SupplyDeps, 'chain' | 'store' | 'multicall' | 'onSupply'>,
  from: Address | undefined,
): Promise<Address | undefined> {
  const tokens = await listSupplies(store.read, { from, limit: tokensPerTurn + 1 })
  const turn = tokens.slice(0, tokensPerTurn)
  const calls = turn.map(({ address }) => ({ to: address, data: totalSupply }) as const)
  const answers = await callMany(chain, calls, { multicall, block: 'latest' })
  const changed = turn.flatMap(({ address, totalSupplyRaw: before, decimals }, i) => {
    const totalSupplyRaw = toSupply(answers[i])
    if (totalSupplyRaw === undefined) return []
    if (decimals !== undefined) onSupply(address, rawToNumber(totalSupplyRaw, decimals))
    return totalSupplyRaw === before ? [] : { address, totalSupplyRaw }
  })
  if (changed.length > 0) await store.write((tx) => updateSupplies(tx, changed))
  return tokens[tokensPerTurn]?.address
}

function toSupply(answer: ViewAnswer): bigint | undefined {
  return answer?.length === 66 ? BigInt(answer) : undefined
}
