import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, cpSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDisk, makeFolder, removeFolder } from '../children.ts'
import type { Kind, Lab, Trial } from './kind.ts'
import { createSecond, createSite, type Site } from './site.ts'

const diskMegabytes = 64
const fillBytes = 64 * 1024
const pageBytes = 4_096
const filesMax = 64
const filesUsual = 1_024
const idleConnections = 100

type Room = {
  readonly site: Site
  readonly folder: string
  readonly file: string
  readonly settings: Readonly<Record<string, string>>
}
type Act = Pick<Trial, 'begin' | 'end'> & Partial<Pick<Trial, 'words' | 'close' | 'absence' | 'atStart'>>

/** Faults of the disk, the file and the process, with SQLite. */
export const storageTrials: readonly Kind[] = [
  {
    ...onDisk('disk full', ({ folder }) => ({
      begin: () => fillUp(join(folder, 'filler')),
      end: () => rmSync(join(folder, 'filler')),
    })),
    outage: true,
  },
  onDisk('read-only file system at start', ({ folder, site }) => ({
    atStart: true,
    absence: 'refuses',
    begin: () => {
      remount(folder, 'ro')
      return site.start()
    },
    end: () => remount(folder, 'rw'),
  })),
  inFolder('damaged pages in the middle', ({ file, site }) => ({
    ...damaged(file, site, damageMiddle),
    atStart: true,
    absence: 'refuses',
  })),
  inFolder('damaged header', ({ file, site }) => ({ ...damaged(file, site, damageHeader), atStart: true, absence: 'refuses' })),
  inFolder('one damaged page, of the table of swaps', ({ file, site }) => ({
    ...damaged(file, site, damageSwaps),
    atStart: true,
  })),
  inFolder('another program locks the database', ({ file }) => lockFile(file)),
  inFolder('no file descriptors left', ({ site }) => leaveNoFiles(site)),
  inFolder('newer schema', ({ file, site }) => ({
    atStart: true,
    absence: 'refuses',
    begin: () => {
      change(file, "insert into kysely_migration values ('0099-of-tomorrow', '2030-01-01T00:00:00.000Z')")
      return site.start()
    },
    end: () => change(file, "delete from kysely_migration where name = '0099-of-tomorrow'"),
  })),
  inFolder("tables without the migrations' record", ({ file, site }) => ({
    atStart: true,
    absence: 'refuses',
    begin: () => {
      change(file, 'alter table kysely_migration rename to aside')
      return site.start()
    },
    end: () => change(file, 'drop table if exists kysely_migration; alter table aside rename to kysely_migration'),
  })),
  inFolder('second server on one DATA_DIR', ({ settings }) => createSecond(settings)),
  inFolder('kill -9', ({ site }) => ({
    absence: 'killed',
    begin: () => site.kill('SIGKILL'),
    end: () => undefined,
  })),
  inFolder('SIGTERM', ({ site }) => ({
    absence: 'ends',
    begin: async () => void (await site.stop()),
    end: () => site.start(),
  })),
  inFolder('server stopped by SIGSTOP, then continued', ({ site }) => ({
    absence: 'frozen',
    begin: () => site.kill('SIGSTOP'),
    end: () => site.kill('SIGCONT'),
  })),
]

function inFolder(name: string, act: (room: Room) => Act | Promise<Act>): Kind {
  return { group: 'storage', name, open: (lab) => openTrial(lab, makeFolder('faults'), act) }
}

/** On a small file system of its own. */
function onDisk(name: string, act: (room: Room) => Act): Kind {
  return {
    group: 'storage',
    name,
    open: async (lab) => {
      const folder = mountDisk()
      return folder === undefined ? 'needs root, to mount a small file system' : openTrial(lab, folder, act)
    },
  }
}

function mountDisk(): string | undefined {
  try {
    return makeDisk('faults-disk', diskMegabytes)
  } catch {
    return undefined
  }
}

async function openTrial(lab: Lab, folder: string, act: (room: Room) => Act | Promise<Act>): Promise<Trial> {
  cpSync(lab.template, folder, { recursive: true })
  const settings = { RPC_URL: lab.rpcUrl, DATA_DIR: folder, NETWORKS_DIR: lab.networksDir }
  const site = await createSite(settings)
  const file = join(folder, 'devnet', 'chainboard.db')
  const { close, ...rest } = await act({ site, folder, file, settings })
  return {
    site,
    location: { file },
    atStart: false,
    ...rest,
    close: async () => {
      await close?.()
      removeFolder(folder)
    },
  }
}

function fillUp(path: string): void {
  const chunk = Buffer.alloc(fillBytes)
  const file = openSync(path, 'w')
  try {
    for (let bytes = 0; bytes < diskMegabytes * 1024 * 1024; bytes += fillBytes) writeSync(file, chunk)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

function remount(folder: string, mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'pipe' })
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

/** Puts the file back at the end, as an operator who has a copy does: server stopped, file in place, server started. */
function damaged(file: string, site: Site, damage: (file: string) => void): Act {
  return {
    begin: () => {
      copyFileSync(file, `${file}.kept`)
      damage(file)
      return site.start()
    },
    end: async () => {
      await site.stop()
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      renameSync(`${file}.kept`, file)
      await site.start()
    },
  }
}

/** Every second page of the middle half. */
function damageMiddle(file: string): void {
  const pages = Math.floor(statSync(file).size / pageBytes)
  const junk = Buffer.alloc(pageBytes, 0xa5)
  const handle = openSync(file, 'r+')
  for (let page = Math.floor(pages / 4); page < (pages * 3) / 4; page += 2)
    writeSync(handle, junk, 0, pageBytes, page * pageBytes)
  closeSync(handle)
}

function damageSwaps(file: string): void {
  const db = new DatabaseSync(file)
  const rootpage = Number(db.prepare("select rootpage from sqlite_master where name = 'swaps'").get()?.['rootpage'])
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (rootpage - 1) * pageBytes)
  closeSync(handle)
}

function damageHeader(file: string): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(100, 0xa5), 0, 100, 0)
  closeSync(handle)
}

/** An open transaction of an administrator's, or of a program that copies. */
function lockFile(file: string): Act {
  let program: DatabaseSync | undefined
  return {
    begin: () => {
      program = new DatabaseSync(file, { timeout: 10_000 })
      program.exec('begin immediate')
    },
    end: () => program?.close(),
  }
}

/** Idle connections take what the process may open. */
function leaveNoFiles(site: Site): Act {
  const idle: Socket[] = []
  const limit = (files: number) => void execFileSync('prlimit', ['--pid', String(site.pid()), `--nofile=${files}:`])
  return {
    begin: () => {
      limit(filesMax)
      for (let i = 0; i < idleConnections; i += 1)
        idle.push(connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => undefined))
    },
    end: () => {
      for (const socket of idle) socket.destroy()
      limit(filesUsual)
    },
  }
}
