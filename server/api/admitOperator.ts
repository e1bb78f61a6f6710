import type { FastifyRequest } from 'fastify'
import type { Operators } from '../operators/createOperators.ts'
import type { Operator } from '../operators/operator.ts'
import { leastRoles } from './adminRoles.ts'
import { clientOf } from './clientOf.ts'
import { createCookies } from './cookies.ts'
import type { Site } from './deps.ts'

/** What every call of an operator brings: a proof, or the id of a session. */
export type OperatorRequest = Pick<FastifyRequest, 'ip' | 'headers'> & {
  readonly body: {
    readonly walletAddress?: unknown
    readonly signature?: unknown
    readonly message?: unknown
    readonly session?: unknown
  }
}

/** Who calls, if their role is enough for the route. @throws Failure as `Operators.admit` does */
export type AdmitOperator = (route: keyof typeof leastRoles, request: OperatorRequest) => Promise<Operator>

/** Lets operators in by what their calls bring. */
export function createAdmitOperator(operators: Pick<Operators, 'admit'>, { origin }: Pick<Site, 'origin'>): AdmitOperator {
  const cookies = createCookies(origin)
  return (route, request) => {
    const { walletAddress, signature, message, session } = request.body
    return operators.admit(
      {
        proof: { walletAddress, signature, message },
        session: session === undefined ? undefined : { id: session, token: cookies.readOperator(request.headers.cookie) },
        client: clientOf(request),
      },
      leastRoles[route],
    )
  }
}
