import type { Chain, Header } from '../chain/chain.ts'
import { findMost } from '../chain/findMost.ts'
import { findBlock, listBlocksDown } from '../store/blocks.ts'
import type { Db } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { failureOfNode } from './failureOfNode.ts'

/** References compared at once. */
const comparedAtOnce = 16
/** References looked at. */
const refsMax = 2_048

/**
 * The lowest of the blocks, in a row of references down from one as far as they are looked at, that the index has by the same hash and another time than a node.
 * @returns undefined when that one itself is not such a block
 * @throws Failure of the node
 */
export async function findWrongTimes(
  { readHeader }: Pick<Chain, 'readHeader'>,
  read: Db,
  { number }: Pick<BlockRef, 'number'>,
): Promise<number | undefined> {
  let wrong: number | undefined
  let below = number
  for (let looked = 0; looked < refsMax; looked += comparedAtOnce) {
    const refs = await listBlocksDown(read, below, comparedAtOnce)
    const headers = await Promise.all(refs.map((ref) => readHeader(ref.number)))
    for (const [i, ref] of refs.entries()) {
      const header = headers[i]
      if (header?.hash !== ref.hash || header.timestampSeconds === ref.timestampSeconds) return wrong
      // Below the first one nothing is left that the index could be taken back to.
      const isFirst = refs.length < comparedAtOnce && i === refs.length - 1
      if (!isFirst || wrong === undefined) wrong = ref.number
    }
    if (refs.length < comparedAtOnce) return wrong
    below = (wrong ?? below) - 1
  }
  return wrong
}

type Asked = { readonly nodes: readonly Pick<Chain, 'readHeader'>[]; readonly store: { readonly read: Db } }

/**
 * Nodes whose header of a block that the index has gives it another time than most say, by their place. Their logs may tell the right one.
 * @param claim its time by most nodes, unix seconds
 */
export async function listMisdating({ nodes, store }: Asked, block: number, claim: string): Promise<number[]> {
  const ref = await findBlock(store.read, block)
  const headers = await Promise.all(nodes.map((node) => node.readHeader(block).catch(failureOfNode)))
  const isOther = (header: Header) => header.hash === (ref?.hash ?? header.hash) && `${header.timestampSeconds}` !== claim
  return headers.flatMap((header, place) => (header && 'hash' in header && isOther(header) ? [place] : []))
}

/** The time of a block of the index by the headers of more than half of the nodes that answer, and one of these nodes. */
export async function findTold(nodes: readonly Chain[], read: Db, block: number) {
  const ref = await findBlock(read, block)
  const answers = await Promise.all(nodes.map(async (by) => ({ by, header: await by.readHeader(block).catch(failureOfNode) })))
  const given = answers.flatMap(({ by, header }) =>
    header && 'hash' in header && header.hash === (ref?.hash ?? header.hash)
      ? [{ by, ref, seconds: header.timestampSeconds }]
      : [],
  )
  return findMost(given, ({ seconds }) => seconds)
}
