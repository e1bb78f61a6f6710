import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import type { Engine } from './queries.ts'

/** A database without our code. */
export type RawDatabase = {
  readonly engine: Engine
  run(sql: string, parameters: readonly (string | number)[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

/** Opens a store's database for reading, with prepared statements. */
export async function openRaw(location: StoreLocation): Promise<RawDatabase> {
  if ('file' in location) {
    const db = new DatabaseSync(location.file, { readOnly: true })
    const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
    return {
      engine: 'sqlite',
      run: async (sql, parameters) => {
        const statement = prepared.get(sql) ?? db.prepare(sql.replaceAll(/\$\d/g, '?'))
        prepared.set(sql, statement)
        return statement.all(...parameters)
      },
      close: async () => db.close(),
    }
  }
  const client = new Client({ connectionString: location.databaseUrl })
  await client.connect()
  return {
    engine: 'postgres',
    run: async (sql, parameters) => (await client.query({ name: sql.slice(0, 60), text: sql, values: [...parameters] })).rows,
    close: () => client.end(),
  }
}
