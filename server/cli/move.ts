// `npm run move`: all data of DATA_DIR's SQLite file into the PostgreSQL of DATABASE_URL.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from '@chainboard/core'
import { findMarkOfPepper } from '../accounts/loadPepper.ts'
import { moveToPostgres } from '../keeping/moveToPostgres.ts'
import { createProgressLog } from '../keeping/progress.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { checkFile } from '../store/openStore.ts'
import { runTool } from './runTool.ts'

const usage = `Usage: npm run move -- [--replace]
  Moves everything from DATA_DIR's SQLite file to the PostgreSQL of DATABASE_URL. Stop the server first.
  --replace  replaces data in that database, which is kept in another schema`

await runTool(async (signal) => {
  const replace = readReplace()
  const { networkName, store, pepper, dataDir } = readConfigOrExit()
  if ('file' in store)
    throw new Failure('request-invalid', `DATABASE_URL: found nothing, expected the database to move to.\n${usage}`)
  const from = join(dataDir, 'chainboard.db')
  checkFile(from)
  const { header, setAside } = await moveToPostgres({
    ...{ from, databaseUrl: store.databaseUrl, network: networkName, replace, nowMs: Date.now(), signal },
    pepper: { mark: findMarkOfPepper(pepper), place: pepper.given ? 'PIN_PEPPER' : pepper.file },
    onRead: createProgressLog('Read', console.error, Date.now),
    onCheck: createProgressLog('Check', console.error, Date.now),
    onProgress: createProgressLog('Write', console.error, Date.now),
  })
  const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`Moved ${rows} rows, including ${header.users} users. ${from} is unchanged: delete it when you no longer need it.`)
  if (setAside) console.log(`The data that was in the database is now in the schema ${setAside}`)
  if (!pepper.given) console.log(`Set PIN_PEPPER to the text in ${pepper.file} on every server before you start it.`)
})

function readReplace(): boolean {
  try {
    return parseArgs({ options: { replace: { type: 'boolean', default: false } } }).values.replace
  } catch (error) {
    throw new Failure('request-invalid', `${messageOf(error)}\n${usage}`)
  }
}
