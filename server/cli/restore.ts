// `npm run restore -- <file>`: a backup into the SQLite file or the PostgreSQL that the environment names.
import { findMarkOfPepper } from '../accounts/loadPepper.ts'
import { createProgressLog } from '../keeping/progress.ts'
import { restoreBackup } from '../keeping/restoreBackup.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { readFileAndSwitches, runTool } from './runTool.ts'

const usage = `Usage: npm run restore -- <file> [--replace] [--without-pepper]
  --replace         replaces existing data, which is kept under another name
  --without-pepper  restores even without the pepper of the backup's users`

const { file, has } = readFileAndSwitches(usage, ['replace', 'without-pepper'])
const { networkName, store: location, pepper } = readConfigOrExit()
await runTool(async (signal) => {
  const place = pepper.given ? 'PIN_PEPPER' : pepper.file
  const { header, setAside } = await restoreBackup(file, {
    location,
    network: networkName,
    replace: has('replace'),
    pepper: has('without-pepper') ? 'unchecked' : { mark: findMarkOfPepper(pepper), place },
    nowMs: Date.now(),
    onCheck: createProgressLog('Check', console.error, Date.now),
    onProgress: createProgressLog('Restore', console.error, Date.now),
    signal,
  })
  const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows from ${header.createdAt}, including ${header.users} users.`)
  if (setAside) console.log(`The old data is now ${'file' in location ? 'the file' : 'in the schema'} ${setAside}`)
  if (!header.withIndex) console.log('The backup has no index: the next start reads the chain from the beginning.')
})
