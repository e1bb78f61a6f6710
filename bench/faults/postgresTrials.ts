import { cpSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { makeFolder, removeFolder } from '../children.ts'
import type { Postgres } from '../postgres.ts'
import type { Kind, Trial } from './kind.ts'
import { createSite } from './site.ts'

/** The filled database that each trial copies. */
export const templateDatabase = 'template_of_faults'

type Room = {
  readonly postgres: Postgres
  readonly database: string
  readonly settings: Readonly<Record<string, string>>
}
type Act = Pick<Trial, 'begin' | 'end'> & Partial<Pick<Trial, 'words'>>

const listBackends = (database: string) =>
  `select coalesce(string_agg(pid::text, ','), '') from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`

/** Faults of PostgreSQL. */
export const postgresTrials: readonly Kind[] = [
  onPostgres('PostgreSQL restarted', ({ postgres }) => ({ begin: () => restart(postgres, 0), end: () => undefined })),
  {
    ...onPostgres('PostgreSQL away', ({ postgres }) => ({ begin: () => postgres.halt(), end: () => postgres.resume() })),
    outage: true,
  },
  onPostgres('one backend killed (kill -9)', ({ postgres, database }) => ({
    begin: async () => {
      const [pid] = await listPids(postgres, database)
      if (pid) process.kill(pid, 'SIGKILL')
    },
    end: () => undefined,
  })),
  onPostgres('all backends terminated', ({ postgres, database }) => ({
    begin: async () => {
      const sql = `select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`
      await postgres.queryOne(postgres.urlOf('postgres'), sql)
    },
    end: () => undefined,
  })),
  onPostgres('backends hang (SIGSTOP)', (room) => hang(room)),
  onPostgres('PostgreSQL database takes no writes', ({ postgres, database }) => ({
    begin: () => setReadOnly(postgres, database, true),
    end: () => setReadOnly(postgres, database, false),
  })),
]

function onPostgres(name: string, act: (room: Room) => Act | Promise<Act>): Kind {
  return {
    group: 'storage',
    name,
    open: async (lab) => {
      const { postgres } = lab
      if (!postgres) return 'needs PostgreSQL'
      const database = `faults_${name.replaceAll(/\W+/g, '_').toLowerCase()}`
      const admin = postgres.urlOf('postgres')
      await postgres.queryOne(admin, `create database "${database}" template "${templateDatabase}"`)
      const folder = makeFolder('faults')
      cpSync(lab.template, folder, { recursive: true })
      const url = postgres.urlOf(database)
      const settings = {
        RPC_URL: lab.rpcUrl,
        DATA_DIR: folder,
        NETWORKS_DIR: lab.networksDir,
        ...toStoreEnv({ databaseUrl: url }),
      }
      const site = await createSite(settings)
      return {
        site,
        location: { databaseUrl: url },
        atStart: false,
        ...(await act({ postgres, database, settings })),
        close: () => removeFolder(folder),
      }
    },
  }
}

async function restart(postgres: Postgres, awayMs: number): Promise<void> {
  await postgres.halt()
  await sleep(awayMs)
  await postgres.resume()
}

function hang({ postgres, database }: Room): Act {
  let pids: readonly number[] = []
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal)
  }
  return {
    begin: async () => {
      pids = await listPids(postgres, database)
      send('SIGSTOP')
    },
    end: () => send('SIGCONT'),
  }
}

async function listPids(postgres: Postgres, database: string): Promise<number[]> {
  const text = await postgres.queryOne(postgres.urlOf('postgres'), listBackends(database))
  return text.split(',').filter(Boolean).map(Number)
}

/** As a database does whose primary became a standby: of new sessions, so the old ones are ended. Nobody ends them when it is over. */
async function setReadOnly(postgres: Postgres, database: string, on: boolean): Promise<void> {
  const admin = postgres.urlOf('postgres')
  await postgres.queryOne(admin, `alter database "${database}" set default_transaction_read_only = ${on ? 'on' : 'off'}`)
  if (on)
    await postgres.queryOne(admin, `select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '${database}'`)
}
