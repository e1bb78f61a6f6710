import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTempStores } from '../testing/tempStores.ts'
import { checkBackupTarget } from './checkBackupTarget.ts'

const stores = createTempStores()

function makeDataDir(name: string): string {
  const dataDir = join(stores.dir, name)
  mkdirSync(dataDir)
  for (const file of ['chainboard.db', 'pepper']) writeFileSync(join(dataDir, file), 'kept')
  return dataDir
}

it.each([
  'chainboard.db',
  'chainboard.db-wal',
  'chainboard.db-shm',
  'pepper',
  'server.lock',
  'server.pid',
  'recent/x',
  'added/x',
])('no backup takes the place of the server’s own %s, whether or not it is there', (name) => {
  const dataDir = makeDataDir(`own-${name.replace('/', '-')}`)
  const file = join(dataDir, name)
  expect(() => checkBackupTarget(file, dataDir)).toThrow(
    `${file} belongs to the server's own data in ${dataDir}: choose another place for the backup.`,
  )
})

it('by whatever way it is named', () => {
  const dataDir = makeDataDir('ways')
  symlinkSync(dataDir, join(stores.dir, 'way'))
  linkSync(join(dataDir, 'chainboard.db'), join(stores.dir, 'linked'))
  for (const file of [
    join(dataDir, '..', 'ways', 'chainboard.db'),
    join(stores.dir, 'way', 'pepper'),
    join(stores.dir, 'linked'),
  ])
    expect(() => checkBackupTarget(file, dataDir)).toThrow("belongs to the server's own data")
})

it('what is there and no file stays', () => {
  const dataDir = makeDataDir('devices')
  for (const file of ['/dev/null', stores.dir])
    expect(() => checkBackupTarget(file, dataDir)).toThrow(`${file} exists and is not a regular file: choose another place.`)
})

it('any other place will do, also in the same folder, and before the server has one', () => {
  const dataDir = makeDataDir('others')
  const before = join(stores.dir, 'before')
  writeFileSync(before, 'an older backup')
  for (const file of [before, join(dataDir, 'backup-1'), join(stores.dir, 'nowhere', 'chainboard.db')])
    expect(() => checkBackupTarget(file, dataDir)).not.toThrow()
  expect(() => checkBackupTarget(before, join(stores.dir, 'not-there'))).not.toThrow()
})

it('a place that leads nowhere is refused in a sentence', () => {
  const file = join(stores.dir, 'loop')
  symlinkSync(file, file)
  expect(() => checkBackupTarget(file, stores.dir)).toThrow(`${file} cannot be reached (ELOOP): choose another place.`)
})
