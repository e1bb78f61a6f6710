import { CompiledQuery } from 'kysely'

const pipelined = new WeakSet<CompiledQuery>()

/**
 * A statement of a transaction whose answer nobody wants: on SQLite its caller goes on while it is under way, so that the thread that writes has the
 * next one when it has done this one. If it fails, a later statement of the transaction does, at the latest its commit.
 */
export function pipeline(sql: string, parameters: unknown[]): CompiledQuery {
  const query = CompiledQuery.raw(sql, parameters)
  pipelined.add(query)
  return query
}

export function isPipelined(query: CompiledQuery): boolean {
  return pipelined.has(query)
}
