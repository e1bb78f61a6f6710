import { resolve } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { forkChild } from '../children.ts'
import { receive } from '../receive.ts'
import { type NodeOrder, nodeMessages, type ServedFacts } from './nodeMessages.ts'

const msMax = 120_000

/** Starts a node of the chain in a process of its own. @throws NotMeasured when it does not listen */
export async function startNode(facts: ServedFacts, signal: AbortSignal) {
  const child = forkChild('the chain', resolve(import.meta.dirname, 'serveChain.ts'), [JSON.stringify(facts)])
  const patience = { what: 'the chain', msMax, signal }
  const { listening } = await receive(child, nodeMessages.listening, patience)
  const ask = <S extends TSchema>(order: NodeOrder, schema: S): Promise<Static<S>> => {
    const answer = receive(child, schema, patience)
    child.process.send(order)
    return answer
  }
  return {
    url: listening,
    /** Lets the chain end with a block for good. @returns its head now */
    endAt: async (block: number) => (await ask({ endAt: block }, nodeMessages.head)).head,
    /** The calls since the last time. */
    takeCalls: async () => (await ask({ tell: true, forget: true }, nodeMessages.calls)).calls,
    stop: child.stop,
  }
}

export type Node = Awaited<ReturnType<typeof startNode>>
