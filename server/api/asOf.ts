import type { FastifyReply } from 'fastify'
import type { Snapshot } from '../market/takeSnapshot.ts'

/**
 * Says how old the data of an answer is: `X-As-Of-Block` is the newest block at which it was true, `X-As-Of` that block's time in unix
 * seconds. Neither while the index is empty. @returns `reply`
 */
export function sayAsOf(reply: FastifyReply, atBlock: Snapshot['atBlock']): FastifyReply {
  if (!atBlock) return reply
  return reply.headers({ 'X-As-Of-Block': atBlock.number, 'X-As-Of': atBlock.timestampSeconds })
}
