import { type CallNode, NodeError } from '../../lib/callNode.ts'
import { type FollowDeps, followTransaction, type Outcome, type Receipt } from '../../lib/followTransaction.ts'
import type { ContractCall, SendCall, SendTogether, Sent } from '../../lib/sendCall.ts'
import { describeRevert } from './describeRevert.ts'

type Hash = `0x${string}`

/** A wallet on our chain, and the node that its transactions are followed at. */
export type TransactDeps = FollowDeps & { readonly from: string; readonly send: SendCall }

export type TransactTold = { readonly onSent: (hash: Hash) => void; readonly onSpedUp: (hash: Hash) => void }

export type Transacted = { readonly receipt: Receipt } | { readonly message: string }

const endings: Readonly<Record<Exclude<Outcome['kind'], 'mined' | 'reverted'>, string>> = {
  cancelled: 'You cancelled the transaction in your wallet',
  replaced: 'Your wallet replaced this transaction with another one',
  dropped: 'The network dropped this transaction. Check your wallet before you try again.',
  lost: 'The transaction was not mined within an hour. Check your wallet before you try again.',
}

/**
 * Has a call sent and waits until it is mined.
 * @param otherwise what failed, when neither the contract nor the wallet says why
 */
export async function transact(
  deps: TransactDeps,
  call: ContractCall,
  otherwise: string,
  told: TransactTold,
): Promise<Transacted> {
  const before = await readBefore(deps)
  const sent = await deps.send(call)
  return follow(deps, { call, before, otherwise, sent }, told)
}

/** The same for calls that the wallet does together; the last one is the one that may be refused. */
export async function transactTogether(
  deps: Omit<TransactDeps, 'send'> & { readonly sendTogether: SendTogether },
  calls: readonly [ContractCall, ContractCall],
  otherwise: string,
  told: TransactTold,
): Promise<Transacted> {
  const sent = await deps.sendTogether(calls)
  if ('unable' in sent) return { message: 'Your wallet cannot do both at once. Approve USDC first.' }
  // They are on the chain when the wallet says so, in a transaction that may be another one's: nothing can take its place.
  return follow(deps, { call: calls[1], before: { nonce: Number.MAX_SAFE_INTEGER, sinceBlock: 0 }, otherwise, sent }, told)
}

type Following = {
  readonly call: ContractCall
  readonly before: Awaited<ReturnType<typeof readBefore>>
  readonly otherwise: string
  readonly sent: Sent
}

async function follow(
  deps: Omit<TransactDeps, 'send'>,
  { call, before, otherwise, sent }: Following,
  { onSent, onSpedUp }: TransactTold,
): Promise<Transacted> {
  if (!('hash' in sent)) {
    const { text, revertData, walletWords } = sent
    return { message: text ?? describeRevert(revertData) ?? walletWords ?? otherwise }
  }
  onSent(sent.hash)
  const outcome = await followTransaction(deps, { ...before, hash: sent.hash, from: deps.from, call }, onSpedUp)
  if (outcome.kind === 'mined') return { receipt: outcome.receipt }
  if (outcome.kind !== 'reverted') return { message: endings[outcome.kind] }
  return { message: (await findRefusal(deps.call, deps.from, call, outcome.receipt.blockNumber)) ?? otherwise }
}

/** What a replaced transaction is found by. A node that does not tell leaves it to the transaction itself. */
async function readBefore({
  call,
  from,
}: Omit<TransactDeps, 'send'>): Promise<{ readonly nonce: number; readonly sinceBlock: number }> {
  const read = async (method: string, params: readonly unknown[]) => Number(await call(method, params))
  const [nonce, sinceBlock] = await Promise.all([
    read('eth_getTransactionCount', [from, 'pending']).catch(() => Number.MAX_SAFE_INTEGER),
    read('eth_blockNumber', []).catch(() => 0),
  ])
  return { nonce, sinceBlock }
}

/** Why the contract would refuse a call, or has refused it in a block, in words; `undefined` when it does not or nobody knows why. */
export async function findRefusal(
  call: CallNode,
  from: string,
  { to, data }: ContractCall,
  block = 'latest',
): Promise<string | undefined> {
  try {
    await call('eth_call', [{ from, to, data }, block])
    return undefined
  } catch (error) {
    return error instanceof NodeError ? describeRevert(error.data) : undefined
  }
}
