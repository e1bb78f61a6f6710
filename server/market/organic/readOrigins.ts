import { randomInt } from 'node:crypto'
import type { Address, Hex } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import { invalid } from '../../chain/parseAnswer.ts'
import { proveSender } from './proveSender.ts'

/** Calls under way at once; the chain puts them into few requests. */
const atOnceMax = 50
/** So many of them are proven by their signatures, drawn when the answers are there: a proof takes a millisecond or two. */
const provenMax = 4
const addressPattern = /^0x[0-9a-f]{40}$/i

/**
 * Who signed transactions, as the node says, which some of their signatures have to bear out; undefined for one that it does not have.
 * @throws Failure of the codes `rpc-…`; `rpc-invalid` for another transaction than the one asked for, and one without its sender
 */
export async function readOrigins({ forward }: Pick<Chain, 'forward'>, hashes: readonly Hex[]): Promise<(Address | undefined)[]> {
  const origins: (Address | undefined)[] = []
  for (let from = 0; from < hashes.length; from += atOnceMax) {
    const slice = hashes.slice(from, from + atOnceMax)
    const answers = await Promise.all(slice.map((hash) => forward('eth_getTransactionByHash', [hash])))
    const said = answers.map((answer, i) => toOrigin(answer, slice[i] as Hex))
    const start = randomInt(answers.length)
    for (let i = 0; i < Math.min(provenMax, answers.length); i += 1) {
      const place = (start + i) % answers.length
      const signer = said[place] && (await proveSender(answers[place] as object))
      if (signer && signer !== said[place])
        throw invalid(`The node says that ${said[place]} sent transaction ${slice[place]}, which ${signer} has signed`)
    }
    origins.push(...said)
  }
  return origins
}

function toOrigin(answer: unknown, asked: Hex): Address | undefined {
  if (answer === null) return undefined
  const { hash, from } = Object(answer) as { hash?: unknown; from?: unknown }
  if (typeof hash !== 'string' || hash.toLowerCase() !== asked)
    throw invalid(`The node answered with another transaction than ${asked}`, { asked })
  if (typeof from !== 'string' || !addressPattern.test(from))
    throw invalid(`The node gives transaction ${asked} no sender`, { asked })
  return from.toLowerCase() as Address
}
