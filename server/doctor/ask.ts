import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { hideSecrets } from '../chain/hideSecrets.ts'
import type { RpcNode } from './node.ts'

/** A node's answer, or why there is none; `said` are its own words, without what its URL may hold of a key. */
export type Answer<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly said?: undefined }
  | { readonly kind: 'refused' | 'too-wide' | 'rate-limited' | 'silent'; readonly said: string; readonly value?: undefined }

export type AskLimits = { readonly callTimeoutMs: number }

const rateLimitWaitMs = 1_000
const rateLimitWaitMaxMs = 5_000
const saidLengthMax = 160

/** Makes a call to `node` within its time. A node that limits the rate is asked once more, after the wait it names or a second. */
export async function ask<T>({ url }: Pick<RpcNode, 'url'>, work: () => Promise<T>, limits: AskLimits): Promise<Answer<T>> {
  const first = await askOnce(url, work, limits)
  if (first.kind !== 'rate-limited') return first
  await wait(Math.min(first.retryAfterMs, rateLimitWaitMaxMs))
  return askOnce(url, work, limits)
}

type FirstAnswer<T> = Answer<T> & { readonly retryAfterMs: number }

async function askOnce<T>(url: string, work: () => Promise<T>, { callTimeoutMs }: AskLimits): Promise<FirstAnswer<T>> {
  const late = Promise.withResolvers<FirstAnswer<T>>()
  const timer = setTimeout(() => late.resolve(toNoAnswer('silent', `no answer within ${callTimeoutMs / 1000} s`)), callTimeoutMs)
  try {
    return await Promise.race([work().then(toAnswer, (error) => toRefusal(error, url)), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function toAnswer<T>(value: T): FirstAnswer<T> {
  return { kind: 'answer', value, retryAfterMs: 0 }
}

function toRefusal(error: unknown, url: string): FirstAnswer<never> {
  if (!(error instanceof Failure)) throw error
  const { code, detail } = error
  const message = hideSecrets(error.message, url)
  if (code === 'rpc-range-too-wide') return toNoAnswer('too-wide', hideSecrets(String(detail['said'] ?? message), url))
  if (code === 'rpc-rate-limited') return toNoAnswer('rate-limited', message, Number(detail['retryAfterMs'] ?? rateLimitWaitMs))
  return toNoAnswer(code === 'rpc-refused' ? 'refused' : 'silent', message)
}

function toNoAnswer(
  kind: 'refused' | 'too-wide' | 'rate-limited' | 'silent',
  said: string,
  retryAfterMs = 0,
): FirstAnswer<never> {
  return { kind, said: said.length > saidLengthMax ? `${said.slice(0, saidLengthMax)}…` : said, retryAfterMs }
}
