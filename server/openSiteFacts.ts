import { readFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fieldsOf } from '@chainboard/core'
import { sql } from 'kysely'
import type { SiteFacts } from './api/deps.ts'
import type { Config } from './config.ts'
import type { Base } from './openBase.ts'
import { root } from './places.ts'
import type { Site } from './site.ts'
import type { StoreReader } from './store/store.ts'
import type { StoreLocation } from './store/storeLocation.ts'

/** What SQLite keeps beside its file. */
const besideFile = ['', '-wal'] as const

/** What the operators' console shows of nodes, disk and process. */
export function openSiteFacts(
  { rpcUrls, store: location, dataDir }: Pick<Config, 'rpcUrls' | 'store' | 'dataDir'>,
  { nodeCalls, requestStore }: Pick<Base, 'nodeCalls' | 'requestStore'>,
  { reloadList }: Pick<Site, 'reloadList'>,
): SiteFacts {
  const hosts = rpcUrls.map((url) => URL.parse(url)?.host ?? 'unknown')
  return {
    nodes: () => {
      const calls = nodeCalls.list()
      return hosts.map((host, place) => {
        const countOf = (outcome: 'answered' | 'failed' | 'outrun') =>
          calls.find((each) => each.place === place && each.outcome === outcome)?.count ?? 0
        return { host, answered: countOf('answered'), failed: countOf('failed'), outrun: countOf('outrun') }
      })
    },
    readStorage: async () => ({
      engine: requestStore.engine,
      bytes: await readBytes(location, requestStore),
      freeBytes: await readFreeBytes('file' in location ? dirname(location.file) : dataDir),
    }),
    server: { version: readVersion(), startedAtSeconds: Math.floor(Date.now() / 1000 - process.uptime()) },
    reloadList,
  }
}

/** Undefined where the database does not say. */
async function readBytes(location: StoreLocation, { read }: Pick<StoreReader, 'read'>): Promise<number | undefined> {
  if ('file' in location) {
    const sizes = await Promise.all(besideFile.map((end) => stat(location.file + end).catch(() => undefined)))
    return sizes.reduce((sum, stats) => sum + (stats?.size ?? 0), 0)
  }
  const { rows } = await sql<{ bytes: string | number }>`select pg_database_size(current_database()) as bytes`
    .execute(read)
    .catch(() => ({ rows: [] }))
  return rows[0] && Number(rows[0].bytes)
}

async function readFreeBytes(folder: string): Promise<number | undefined> {
  const facts = await statfs(folder).catch(() => undefined)
  return facts && facts.bavail * facts.bsize
}

/** Of `package.json`, which an archive has, too. */
function readVersion(): string {
  const version = fieldsOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))['version']
  return typeof version === 'string' ? version : 'unknown'
}
