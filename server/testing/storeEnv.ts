import type { StoreLocation } from '../store/storeLocation.ts'

/** What tells a server of a test, or of a benchmark, where its store is. On PostgreSQL every server needs the same pepper. */
export function toStoreEnv(location: StoreLocation): Record<string, string> {
  return 'databaseUrl' in location
    ? { DATABASE_URL: location.databaseUrl, PIN_PEPPER: 'of-servers-that-are-only-trials-0123456789' }
    : {}
}
