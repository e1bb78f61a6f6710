import { Failure } from '@chainboard/core'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import type { RequestGate } from './requestGate.ts'
import type { Silence } from './silence.ts'
import { isKnown, silentDatabase } from './toStoreFailure.ts'

/** Who knows how long statements wait, and who refuses them at once for that. */
export type Watch = { readonly silence?: Silence | undefined; readonly gate?: RequestGate | undefined }

/** They need no lock and no row: that they are done says nothing of what comes next. */
const transactionWords = /^(begin|start transaction|commit|rollback)/i

/**
 * A dialect whose every error is what `toFailure` makes of it. A rollback never fails: whatever led to it is what the caller
 * must hear of, and a connection that cannot roll back has lost its transaction.
 */
export function withFailures(dialect: Dialect, toFailure: (error: unknown) => unknown, watch: Watch = {}): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => wrapDriver(dialect.createDriver(), toFailure, watch),
  }
}

/** Nothing but the way to the database fails here, in more ways than anybody could list: certificates, ports, firewalls. */
function toUnreachable(error: unknown): never {
  throw isKnown(error) ? error : silentDatabase(error)
}

function wrapDriver(driver: Driver, toFailure: (error: unknown) => unknown, { silence, gate }: Watch): Driver {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = silence?.begin()
    try {
      return await work()
    } catch (error) {
      const failure = toFailure(error)
      if (failure instanceof Failure) gate?.note('failed')
      throw failure
    } finally {
      end?.()
    }
  }
  const wrapped = new WeakSet<DatabaseConnection>()
  return {
    init: (options) => attempt(() => driver.init(options)),
    async acquireConnection(options) {
      gate?.enter()
      const connection = await attempt(() => driver.acquireConnection(options).catch(toUnreachable))
      if (!wrapped.has(connection)) {
        const executeQuery = connection.executeQuery.bind(connection)
        connection.executeQuery = async <R>(query: CompiledQuery, queryOptions?: Parameters<typeof executeQuery>[1]) => {
          const answer = await attempt(() => executeQuery<R>(query, queryOptions))
          if (!transactionWords.test(query.sql)) gate?.note('answered')
          return answer
        }
        wrapped.add(connection)
      }
      return connection
    },
    beginTransaction: (connection, settings) => attempt(() => driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => attempt(() => driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection).catch(() => undefined),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  }
}
