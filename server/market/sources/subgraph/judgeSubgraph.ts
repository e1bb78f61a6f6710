import type { PostOutcome } from '../../../chain/postJson.ts'
import { type Finding, fail, ok, warn } from '../../../finding.ts'

/** Asked of the subgraph: how far it is, and whose pools it has. */
export const subgraphQuestion = '{ _meta { block { number } hasIndexingErrors } factories(first: 5) { id } }'

export type SubgraphContext = {
  readonly field: string
  /** Lower case. */
  readonly factory: string
  /** Newest block of the chain; undefined: no node said it. */
  readonly headNumber: number | undefined
  /** Whether prices come from it alone. */
  readonly isOnlySource: boolean
}

/** Blocks behind the chain that are worth a word. */
const lagBlocksMax = 500

type Answer = {
  data?: { _meta?: { block?: { number?: unknown }; hasIndexingErrors?: unknown }; factories?: { id?: unknown }[] } | null
  errors?: { message?: unknown }[]
}

/** Whether a subgraph answers, is up to date, and is that of the exchange. Pure. */
export function judgeSubgraph(outcome: PostOutcome, { field, factory, headNumber, isOnlySource }: SubgraphContext): Finding {
  const wanted = 'a Uniswap v3 subgraph of this exchange'
  const todo = isOnlySource
    ? 'Without it there are no prices: set SUBGRAPH_URL'
    : 'While it is down, the server uses the next source'
  const silent = (found: string) => (isOnlySource ? fail : warn)({ field, found, wanted, todo })
  if (outcome.kind === 'unreachable') return silent(outcome.why)
  if (outcome.kind === 'status') return silent(`HTTP ${outcome.status}`)
  if (outcome.kind === 'not-json') return silent('no JSON')
  const { data, errors } = (outcome.value ?? {}) as Answer
  if (errors?.[0]) return silent(`"${String(errors[0].message).slice(0, 160)}"`)
  if (!data?._meta || !data.factories) return silent('a response that is not from a subgraph')
  const ids = data.factories.map(({ id }) => String(id).toLowerCase())
  if (!ids.includes(factory))
    return fail({
      field,
      found: `the factory ${ids.join(', ') || 'of none'}`,
      wanted: factory,
      todo: 'It belongs to another exchange',
    })
  const number = Number(data._meta.block?.number)
  if (data._meta.hasIndexingErrors === true)
    return warn({ field, found: `indexing errors at block ${number}`, wanted, todo: 'Its figures have stopped or are wrong' })
  const lag = headNumber === undefined ? 0 : headNumber - number
  if (lag > lagBlocksMax)
    return warn({ field, found: `${lag} blocks behind`, wanted: `at most ${lagBlocksMax}`, todo: 'Its prices are that old' })
  return ok(field, `is at block ${number}, ${Math.max(0, lag)} behind`)
}
