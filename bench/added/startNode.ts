import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { adopt } from '../children.ts'
import { within } from '../waiting.ts'
import type { NodeNews, NodeOrder, ServedFacts } from './serveChain.ts'

const msMax = 120_000

/** Starts a node of the chain. */
export async function startNode(facts: ServedFacts, signal: AbortSignal) {
  const program = resolve(import.meta.dirname, 'serveChain.ts')
  const child = adopt('the chain', fork(program, [JSON.stringify(facts)], { detached: true, silent: true }))
  const news = <K extends keyof NodeNews>(key: K) =>
    within(
      new Promise<NonNullable<NodeNews[K]>>((done) => {
        const listen = (message: NodeNews) => {
          const value = message[key]
          if (value === undefined) return
          child.process.off('message', listen)
          done(value as NonNullable<NodeNews[K]>)
        }
        child.process.on('message', listen)
      }),
      { what: 'the chain', msMax, signal, gone: child.gone },
    )
  const ask = <K extends keyof NodeNews>(order: NodeOrder, key: K) => {
    const answer = news(key)
    child.process.send(order)
    return answer
  }
  return {
    url: await news('listening'),
    /** Lets the chain end with a block for good. @returns its head now */
    endAt: (block: number) => ask({ endAt: block }, 'head'),
    /** The calls since the last time. */
    takeCalls: () => ask({ tell: true, forget: true }, 'calls'),
    stop: child.stop,
  }
}

export type Node = Awaited<ReturnType<typeof startNode>>
