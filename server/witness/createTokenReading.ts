import { type Address, Failure } from '@chainboard/core'
import type { Chain, TokenFacts } from '../chain/chain.ts'
import { readManyTokenFacts } from '../chain/readTokenFacts.ts'
import { insertConfirmedTokens } from '../store/confirmedTokens.ts'
import { correctTokens } from '../store/correctTokens.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, lockCursor } from '../store/syncCursor.ts'
import { listTokens, listUnconfirmedTokens } from '../store/tokens.ts'
import { callAt } from './callAt.ts'
import { failureOfNode } from './failureOfNode.ts'
import { beginToken, isSameText, type Judgement, judgeToken, type OpenToken, type Said } from './judgeToken.ts'

/** Asked in a look: two multicalls of each node. */
const askedMax = 256
/** How often the store is searched for tokens that were not read a second time; and how soon after no node answered they are asked again. */
const everyMs = 60_000
/** Tokens of one such search. */
const listedMax = 5_000

export type TokenReadingDeps = {
  readonly nodes: readonly Pick<Chain, 'forward' | 'readHeader'>[]
  readonly store: Store
  readonly multicall: Address
  /** Whether the site vouches for a token: what anybody's contract says puts nothing in doubt. */
  readonly isListed: (token: Address) => boolean
  readonly nowMs: () => number
  readonly log: { warn(facts: object, text: string): void }
}

export type TokenReading = {
  /** Reads from the store whether dollars are known to be wrong. @throws Failure of the store */
  open(): Promise<void>
  /** Asks all nodes for the next tokens, if any are due, at the last block of the index. A node that has no answer is passed over. @throws Failure of the store */
  step(block: BlockRef): Promise<void>
  /** Why decimals or dollars of listed tokens may be wrong, in words; undefined when nothing contradicts them. */
  doubt(): string | undefined
}

type Settled = Judgement & { readonly address: Address; readonly stored: OpenToken['stored'] }

/**
 * Reads what each token says a second time, after a minute and three minutes later, of all nodes: what made a node err when the token
 * was stored may be over by then. What differs is corrected. What is as stored is confirmed, and not asked again.
 */
export function createTokenReading(deps: TokenReadingDeps): TokenReading {
  const { nodes, store, nowMs } = deps
  const open = new Map<Address, OpenToken>()
  let next: Address | undefined
  let [listAtMs, askAtMs] = [0, 0]
  let doubt: string | undefined

  const list = async () => {
    if (nowMs() < listAtMs) return
    const found = await listUnconfirmedTokens(store.read, { from: next, limit: listedMax + 1 })
    next = found[listedMax]?.address
    listAtMs = nowMs() + everyMs
    for (const token of found.slice(0, listedMax)) {
      const known = open.get(token.address)
      if (!known || !isSameText(known.stored, token)) open.set(token.address, beginToken(toText(token), nowMs()))
    }
  }

  const judge = async (block: BlockRef) => {
    await list()
    const due = [...open].filter(([, { dueAtMs }]) => dueAtMs <= nowMs()).sort(([, a], [, b]) => a.dueAtMs - b.dueAtMs)
    const asked = due.slice(0, askedMax)
    if (asked.length === 0 || nowMs() < askAtMs) return
    const answers = await askAll(
      deps,
      block,
      asked.map(([address]) => address),
    )
    if (answers.length === 0) {
      askAtMs = nowMs() + everyMs
      return
    }
    const judged = asked.map(([address, token], i): Settled => {
      const said = findSaid(
        answers.flatMap((facts) => facts[i] ?? []),
        nodes.length,
      )
      return { address, stored: token.stored, ...judgeToken(token, said, nowMs()) }
    })
    const settled = judged.filter(({ kind }) => kind !== 'wait')
    const kept = await settle(deps, settled)
    // What is stored otherwise by now is listed again.
    for (const { address } of settled) open.delete(address)
    for (const each of [...judged.filter(({ kind }) => kind === 'wait'), ...kept])
      if (each.kind !== 'confirm') open.set(each.address, each.open)
  }

  const seeDoubt = async () => {
    doubt = await describeDoubt(deps, open)
  }
  return {
    open: seeDoubt,
    async step(block) {
      await judge(block)
      await seeDoubt()
    },
    doubt: () => doubt,
  }
}

/** What each node that answers says of the tokens, in their order. */
async function askAll({ nodes, multicall }: TokenReadingDeps, block: BlockRef, addresses: readonly Address[]) {
  const answers = await Promise.all(
    nodes.map((node) => readManyTokenFacts(addresses, (calls) => callAt(node, calls, { block, multicall })).catch(failureOfNode)),
  )
  return answers.flatMap((answer) => (answer instanceof Failure ? [] : [answer]))
}

/**
 * Writes what is decided of tokens that are still stored as they were.
 * @returns these
 * @throws Failure of the store
 */
async function settle({ store, isListed, log }: TokenReadingDeps, settled: readonly Settled[]): Promise<readonly Settled[]> {
  if (settled.length === 0) return []
  const kept = await store.write(async (tx) => {
    await lockCursor(tx)
    const rows = await listTokens(
      tx,
      settled.map(({ address }) => address),
    )
    const rowOf = new Map(rows.map((row) => [row.address, row]))
    const still = settled.filter(({ address, stored }) => {
      const row = rowOf.get(address)
      return row !== undefined && isSameText(row, stored)
    })
    const wrong = still.filter(({ kind }) => kind === 'correct')
    await insertConfirmedTokens(
      tx,
      still.filter(({ kind }) => kind === 'confirm').map(({ address }) => address),
    )
    await correctTokens(
      tx,
      wrong.map(({ address, stored, open: { stored: now } }) => ({
        ...{ address, ...now, isNewlyCounted: now.decimals !== stored.decimals },
        isWrong: isListed(address) && stored.decimals !== undefined && now.decimals !== stored.decimals,
      })),
    )
    return still
  })
  const corrected = kept.filter(({ kind }) => kind === 'correct').map(({ address }) => address)
  if (corrected.length > 0)
    log.warn({ tokens: corrected }, 'Nodes report other token names or decimals than at first: the new ones are stored now')
  return kept
}

async function describeDoubt(
  { store, isListed }: TokenReadingDeps,
  open: ReadonlyMap<Address, OpenToken>,
): Promise<string | undefined> {
  const doubted = [...open].filter(([token, { isDoubted }]) => isDoubted && isListed(token)).map(([token]) => token)
  if (doubted.length > 0) {
    const which = doubted.length === 1 ? `Token ${doubted[0]} has` : `${doubted.length} tokens have`
    return `${which} other decimals on the nodes than in the index; the server checks again within minutes`
  }
  if (!(await findAsked(store.read))?.isWrong) return undefined
  return 'Wrong token decimals were corrected; the server revalues the blocks with them'
}

function toText({ symbol, name, decimals }: OpenToken['stored']): OpenToken['stored'] {
  return { symbol, name, decimals }
}

function findSaid(answers: readonly TokenFacts[], nodes: number): Said | undefined {
  for (const answer of answers) {
    const count = answers.filter((each) => isSameText(each, answer)).length
    if (count * 2 > answers.length) return { text: toText(answer), isOfMost: count * 2 > nodes }
  }
  return undefined
}
