import type { Header } from './chain.ts'
import { createHeadWatch, isBehindMost, isLeap, pickHead } from './headWatch.ts'
import type { NodeClient } from './nodeClient.ts'
import type { Nodes } from './nodes.ts'
import { parseChainId } from './parseAnswer.ts'
import { type Call, readHeader } from './readRange.ts'

/** How long other nodes have for their heads; as long as a slow one takes where most of them decide: a silent one is on nobody's side. */
const headWaitMs = { usual: 2_000, most: 4_000 }

/** Reads where the chain ends, of the nodes that are on it. */
export type HeadReader = {
  /** @param wanted heads of nodes on another chain do not count from now on */
  readChainId(wanted?: number): Promise<number>
  /** The head of the node that is asked first; where that one may be made up or stands still, the one that the nodes make likely. */
  readHead(): Promise<Header>
}

type Answered = { readonly head: Header; readonly client: NodeClient }

/** @param nodes of one chain; with one alone, what it says is the head */
export function createHeadReader(nodes: Nodes): HeadReader {
  const { clients, endpoints, clock } = nodes
  const hasOthers = clients.length > 1
  const heads = createHeadWatch(clock.nowMs)
  let wantedChainId: number | undefined

  const readChainIdOf = async (call: Call, client: NodeClient) => {
    const found = parseChainId(await call('eth_chainId', []))
    if (hasOthers && wantedChainId !== undefined && found !== wantedChainId) nodes.distrust(client)
    return found
  }
  const readHeadOf = async (call: Call, client: NodeClient) => ({ head: await readHeader(call, 'latest'), client })

  /** Of the nodes of the same chain that answer soon: one that hangs must not hold up the others. */
  const readOtherHeads = async (asked: NodeClient, waitMs: number) => {
    const over = new AbortController()
    const late = clock.pause(waitMs, over.signal).then(() => undefined)
    const others = clients.filter((client) => client !== asked)
    const readOne = async (client: NodeClient) => {
      const call = nodes.callOf(client)
      // At the same time: a node has the time of one call for both, and does not learn from the first that it is compared.
      const [head, chainId] = await Promise.all([readHeadOf(call, client), wantedChainId && readChainIdOf(call, client)])
      return chainId === wantedChainId ? head : undefined
    }
    const answers = await Promise.all(others.map((client) => Promise.race([readOne(client).catch(() => undefined), late])))
    over.abort()
    return answers.flatMap((answer) => answer ?? [])
  }

  /** One that has left the chain may be ahead of it. Half of all at least decide: no node alone about the others. */
  const pickJury = (all: readonly [Answered, ...Answered[]]) => {
    const [trusted, ...others] = all.filter(({ client }) => !endpoints.isDistrusted(client))
    return trusted && (others.length + 1) * 2 >= clients.length ? ([trusted, ...others] as const) : all
  }

  return {
    readChainId: (wanted) => {
      wantedChainId = wanted ?? wantedChainId
      return nodes.use('chainId', readChainIdOf)
    },
    readHead: async () => {
      const first = await nodes.use('head', readHeadOf)
      const doubt = hasOthers ? heads.findDoubt(first.head) : undefined
      if (doubt === undefined) return nodes.withDistrust(first.head, first.client)
      const waitMs = doubt === 'leap' && clients.length > 2 ? headWaitMs.most : headWaitMs.usual
      const jury = pickJury([first, ...(await readOtherHeads(first.client, waitMs))])
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const picked = pickHead(jury, { nodes: clients.length, nowSeconds })
      heads.take(picked.head)
      for (const { head, client } of jury) if (isLeap(head, picked.head)) nodes.distrust(client)
      // It has stopped, or is behind: nothing that it said was false.
      const rest = jury.filter((each) => each !== first).map(({ head }) => head)
      if (doubt === 'stands' && isBehindMost(first.head, rest, { others: clients.length - 1, isLate: false }))
        endpoints.putLast(first.client)
      return nodes.withDistrust(picked.head, picked.client)
    },
  }
}
