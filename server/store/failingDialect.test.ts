import { Failure } from '@chainboard/core'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { expect, it } from 'vitest'
import { withFailures } from './failingDialect.ts'
import { toStoreFailure } from './toStoreFailure.ts'

/** A database whose every connection fails in the given way. */
function createUnreachable(error: unknown) {
  const pool = { connect: () => Promise.reject(error), end: async () => undefined, options: {} }
  return new Kysely<object>({ dialect: withFailures(new PostgresDialect({ pool }), toStoreFailure) })
}

const coded = (code: string, words: string) => Object.assign(new Error(words), { code })

it.each([
  ['no local port is left', coded('EADDRNOTAVAIL', 'connect EADDRNOTAVAIL 127.0.0.1:5432')],
  [
    'its certificate is of another host',
    coded('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"),
  ],
  ['its certificate is its own', coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
  ['a firewall refuses', coded('EACCES', 'connect EACCES 127.0.0.1:5432')],
])('a database that cannot be connected to since %s is unavailable, no bug', async (_, error) => {
  const failure = await sql`select 1`.execute(createUnreachable(error)).catch((reason: unknown) => reason)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({
    ...{ code: 'store-unavailable', message: 'The database is not responding', retryable: true },
    cause: error,
  })
})

it('what is known of a connection that fails keeps its own words', async () => {
  const refused = createUnreachable(coded('53100', 'could not extend file'))
  await expect(sql`select 1`.execute(refused)).rejects.toMatchObject({ code: 'store-full' })
})
