import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, Principal } from '../../keys/keyGate.ts'

/** Lets a request through and counts it. Undefined: the refusal has been sent. */
export type Admit = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<{ readonly principal: Principal; readonly allowance: Allowance } | undefined>
