import { fieldsOf } from '@chainboard/core'
import { isRedirect } from '../chain/isRedirect.ts'
import type { PostOutcome } from '../chain/postJson.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

const callNote = 'Call the URL with curl, or take another node'
const slowMs = 2_000

/** Whether a node answers `eth_chainId`, and with the chain that is wanted. Pure. */
export function judgeReach(field: string, outcome: PostOutcome, chainId: number): Finding {
  const wanted = 'a JSON-RPC answer to eth_chainId'
  if (outcome.kind === 'unreachable') return fail({ field, found: outcome.why, wanted, todo: callNote })
  if (outcome.kind === 'not-json')
    return fail({
      field,
      found: `not JSON: "${outcome.start}"`,
      wanted,
      todo: 'The URL leads to a web page: look up the right RPC URL',
    })
  if (outcome.kind === 'status') return fail({ field, found: `HTTP ${outcome.status}`, wanted, todo: adviseOn(outcome.status) })
  const { result, error } = fieldsOf(outcome.value)
  if (typeof result !== 'string')
    return fail({ field, found: error ? `"${fieldsOf(error)['message']}"` : 'JSON that is not JSON-RPC', wanted, todo: callNote })
  if (Number(result) !== chainId)
    return fail({
      field,
      found: `chain id ${Number(result)}`,
      wanted: `${chainId}, as chain.id says`,
      todo: 'One of the two belongs to another chain',
    })
  const slow = outcome.tookMs > slowMs ? ', which is slow' : ''
  return ok(field, `chain id ${chainId}, answers in ${Math.round(outcome.tookMs)} ms${slow}`)
}

function adviseOn(status: number): string {
  if (status === 429) return 'You reached its rate limit: wait, or use a node with a key of your own'
  if (isRedirect({ status })) return 'It redirects, and redirects are not followed: use the final URL'
  if (status === 401 || status === 403) return 'The key in the URL is missing or wrong'
  return callNote
}

/** Whether a node answers two calls in one request, as the server sends them. Pure. */
export function judgeBatch(field: string, outcome: PostOutcome): Finding {
  if (outcome.kind === 'json' && Array.isArray(outcome.value) && outcome.value.length === 2)
    return ok(field, 'answers calls in batches')
  const said = outcome.kind === 'json' ? fieldsOf(fieldsOf(outcome.value)['error'])['message'] : undefined
  const found = outcome.kind === 'unreachable' ? outcome.why : outcome.kind === 'status' ? `HTTP ${outcome.status}` : 'one answer'
  return warn({
    field,
    found: `${typeof said === 'string' ? `"${said}"` : found} to a batch`,
    wanted: 'two answers to two calls in one request',
    todo: 'The server sends it single calls, which are slower and use up more of a rate limit',
  })
}
