import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import type { Silence } from './silence.ts'

/**
 * A dialect whose every error is what `toFailure` makes of it. A rollback never fails: whatever led to it is what the caller
 * must hear of, and a connection that cannot roll back has lost its transaction.
 */
export function withFailures(dialect: Dialect, toFailure: (error: unknown) => unknown, silence?: Silence): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => wrapDriver(dialect.createDriver(), toFailure, silence),
  }
}

function wrapDriver(driver: Driver, toFailure: (error: unknown) => unknown, silence?: Silence): Driver {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = silence?.begin()
    try {
      return await work()
    } catch (error) {
      throw toFailure(error)
    } finally {
      end?.()
    }
  }
  const wrapped = new WeakSet<DatabaseConnection>()
  return {
    init: (options) => attempt(() => driver.init(options)),
    async acquireConnection(options) {
      const connection = await attempt(() => driver.acquireConnection(options))
      if (!wrapped.has(connection)) {
        const executeQuery = connection.executeQuery.bind(connection)
        connection.executeQuery = (query, queryOptions) => attempt(() => executeQuery(query, queryOptions))
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
