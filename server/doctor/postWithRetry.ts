import { setTimeout as wait } from 'node:timers/promises'
import { fieldsOf } from '@chainboard/core'
import { type PostOutcome, type PostRequest, postJson } from '../chain/postJson.ts'
import { isOfPace, readRefusal } from '../chain/refusals/readRefusal.ts'

const waitMs = 1_000

type Deps = { readonly post: typeof postJson; readonly pause: (ms: number) => Promise<unknown> }

const own: Deps = { post: postJson, pause: wait }

/** One POST to a node; where it refuses the call for its rate, a second one a second later. */
export async function postWithRetry(request: PostRequest, { post, pause }: Deps = own): Promise<PostOutcome> {
  const first = await post(request)
  if (!refusesPace(first)) return first
  await pause(waitMs)
  return post(request)
}

function refusesPace(outcome: PostOutcome): boolean {
  if (outcome.kind === 'status') return outcome.status === 429
  if (outcome.kind !== 'json') return false
  const { error } = fieldsOf(outcome.value)
  if (!error) return false
  const { code, message, data } = fieldsOf(error)
  return isOfPace(readRefusal({ code: Number(code), message: String(message), data }).kind)
}
