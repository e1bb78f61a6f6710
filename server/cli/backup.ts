// `npm run backup -- <file>`: all rows in one file, from SQLite or PostgreSQL, while the server runs.

import { checkBackupTarget } from '../keeping/checkBackupTarget.ts'
import { createProgressLog } from '../keeping/progress.ts'
import { writeBackup } from '../keeping/writeBackup.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { explained, openBackupReader } from '../store/openStore.ts'
import { readFileAndSwitches, runTool } from './runTool.ts'

const usage = `Usage: npm run backup -- <file> [--without-index] [--overwrite]
  --without-index  saves only what exists nowhere else: accounts, keys, quotas, payments. After a restore, the server reads the chain again
  --overwrite      replaces an existing file`

const { file, has } = readFileAndSwitches(usage, ['without-index', 'overwrite'])
const { networkName, store: location, pepper, dataDir } = readConfigOrExit()
await runTool(async (signal) => {
  checkBackupTarget(file, dataDir)
  const store = await openBackupReader(location)
  try {
    const writing = writeBackup(store, file, {
      network: networkName,
      withIndex: !has('without-index'),
      overwrite: has('overwrite'),
      nowMs: Date.now(),
      onProgress: createProgressLog('Backup', console.error, Date.now),
      signal,
    })
    const { tables, users } = await explained(location, () => writing)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`Backed up ${rows} rows from ${tables.length} tables, including ${users} users: ${file}`)
    const place = pepper.given ? 'PIN_PEPPER' : pepper.file
    console.log(
      `The backup does not contain the pepper. Keep ${place} as well, in another place. Without it no user can sign in.`,
    )
  } finally {
    await store.close()
  }
})
