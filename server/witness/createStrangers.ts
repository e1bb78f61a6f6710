import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { failureOfNode } from './failureOfNode.ts'
import type { Hole } from './findHole.ts'
import { nodeOf } from './nodeOf.ts'

/** Contracts that were found to be somebody else's, so that none is asked again; the oldest go first. */
const foreignMax = 20_000
/** Contracts that wait for their turn. */
const waitingMax = 5_000
const askedAtOnce = 20
const spanFirst = 2_000
/** Ranges grow until a node refuses: a factory's logs are few. */
const spanWidest = 100_000
/** Ranges read backwards from a pool's first event for its creation. */
const piecesMax = 400

/** A contract that emits events of a pool and is in no index. */
export type Stranger = { readonly pool: Address; readonly blockNumber: number }

export type StrangerDeps = {
  readonly nodes: readonly Chain[]
  readonly factory: Address
  /** Whether a pool of these tokens belongs into the index. */
  readonly wants: (token0: Address, token1: Address) => boolean
}

export type Strangers = {
  meet(strangers: readonly Stranger[]): void
  /**
   * Asks some of them whose they are.
   * @param isIndexed whether the index has the pool by now: it may have been read again
   * @returns the block of a pool's creation that the index lacks, and the nodes without it
   */
  findCreation(place: number, isIndexed: (pool: Address) => Promise<boolean>): Promise<Hole | undefined>
}

/**
 * A node that leaves out a pool's creation hides the whole pool: its events then look like those of another exchange. So whoever
 * emits a pool's events is asked for its factory, and the factory for its word, once by each node: one may lie here, too.
 */
export function createStrangers({ nodes, factory, wants }: StrangerDeps): Strangers {
  const waiting = new Map<Address, number>()
  /** The nodes that said so, a bit for each. */
  const foreign = new Map<Address, number>()
  const isForeign = (pool: Address) => foreign.get(pool) === 2 ** nodes.length - 1
  return {
    meet(strangers) {
      for (const { pool, blockNumber } of strangers)
        if (!isForeign(pool) && !waiting.has(pool) && waiting.size < waitingMax) waiting.set(pool, blockNumber)
    },
    async findCreation(place, isIndexed) {
      const turn = place % nodes.length
      const node = nodeOf(nodes, turn)
      const asked = [...waiting].slice(0, askedAtOnce)
      const verdicts = await Promise.all(asked.map(([pool]) => isOurs(node, { pool, factory, wants })))
      for (const [i, [pool, blockNumber]] of asked.entries()) {
        // To the end of the line: one whose creation no node has is asked for again later.
        waiting.delete(pool)
        if (!verdicts[i]) foreign.set(pool, (foreign.get(pool) ?? 0) | (1 << turn))
        else if (!(await isIndexed(pool))) {
          waiting.set(pool, blockNumber)
          const found = await findCreationBlock(nodes, { pool, factory, toBlock: blockNumber })
          if (found && !(await isIndexed(pool))) return found
        }
      }
      for (const pool of foreign.keys()) {
        if (foreign.size <= foreignMax) break
        foreign.delete(pool)
      }
      return undefined
    },
  }
}

type Wanted = Omit<StrangerDeps, 'nodes'> & { readonly pool: Address }

/** Anybody may name our factory as theirs; only what the factory itself calls its pool counts. */
async function isOurs(node: Chain, { pool, factory, wants }: Wanted): Promise<boolean> {
  if ((await readContract(node, { to: pool, name: 'factory' })) !== factory) return false
  const [token0, token1, fee] = await Promise.all([
    readContract(node, { to: pool, name: 'token0' }),
    readContract(node, { to: pool, name: 'token1' }),
    readContract(node, { to: pool, name: 'fee' }),
  ])
  if (!token0 || !token1 || fee === undefined || !wants(token0, token1)) return false
  return (await readContract(node, { to: factory, name: 'getPool', args: [token0, token1, fee] })) === pool
}

type Creation = { readonly pool: Address; readonly factory: Address; readonly toBlock: number }

async function findCreationBlock(nodes: readonly Chain[], { pool, factory, toBlock }: Creation): Promise<Hole | undefined> {
  let [to, span, spanMax] = [toBlock, spanFirst, spanWidest]
  for (let piece = 0; piece < piecesMax && to >= 0; piece += 1) {
    const from = Math.max(0, to - span + 1)
    const blocks = await Promise.all(nodes.map((node) => findIn(node, { pool, factory, from, to })))
    if (blocks.includes('too wide') && span > 1) {
      spanMax = Math.floor(span / 2)
      span = spanMax
      continue
    }
    const block = blocks.find((each) => typeof each === 'number')
    if (block !== undefined) {
      const liars = blocks.flatMap((each, place) => (each === undefined ? [place] : []))
      const agreeing = blocks.filter((each) => each === block).length
      const voices = blocks.filter((each) => each !== 'no answer' && each !== 'too wide').length
      return { block, liars, backing: { isProven: false, agreeing, voices, claim: `created ${pool}` } }
    }
    to = from - 1
    span = Math.min(spanMax, span * 2)
  }
  return undefined
}

async function findIn(
  node: Chain,
  { pool, factory, from, to }: { pool: Address; factory: Address; from: number; to: number },
): Promise<number | 'too wide' | 'no answer' | undefined> {
  try {
    const { logs } = await node.readRange({ from, to, topics: [poolCreatedTopic], address: factory, everyHeader: false })
    return logs.find(({ data }) => data.endsWith(pool.slice(2)))?.blockNumber
  } catch (error) {
    return failureOfNode(error).code === 'rpc-range-too-wide' ? 'too wide' : 'no answer'
  }
}

/** `PoolCreated(address,address,uint24,int24,address)` */
const poolCreatedTopic = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'
