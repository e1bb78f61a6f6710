import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import { appendAdminAct } from '../store/adminActs.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { startTool } from '../testing/toolProcess.ts'

const stores = createTempStores()
const pepper = 'a pepper of thirty-two characters'

it.each(engines)('npm run audit-log finds what was changed by hand on %s', { timeout: 60_000 }, async (engine) => {
  const folder = join(stores.dir, `log-${engine}`)
  mkdirSync(join(folder, 'devnet'), { recursive: true })
  const place = await stores.locateNew(engine)
  const location = 'databaseUrl' in place ? place : { file: join(folder, 'devnet', 'chainboard.db') }
  const url = 'databaseUrl' in location ? { DATABASE_URL: location.databaseUrl } : {}
  const env = { DATA_DIR: folder, RPC_URL: 'http://127.0.0.1:9', PIN_PEPPER: pepper.replaceAll(' ', '-'), ...url }
  const run = async (args: string[] = []) => {
    const tool = startTool('auditLog', args, env)
    return { code: await tool.ended, output: tool.output() }
  }
  const store = await stores.open(location)
  const keyedHash = createKeyedHash(env.PIN_PEPPER)
  const wallet = `0x${'ad'.repeat(20)}` as const
  const who = { atSeconds: 1, wallet, role: 'owner', via: 'session', keyId: undefined, from: {}, to: {}, alerts: [] } as const
  const heads = []
  for (const id of ['a', 'b'])
    heads.push(await store.write((tx) => appendAdminAct(tx, { ...who, id, act: 'login' }, (text) => keyedHash('act', text))))
  const noted = `2:${heads[1]?.hash}`
  expect(await run(['--noted', noted])).toEqual({
    code: 0,
    output: `Intact: entries 1 to 2. Note the last one elsewhere: --noted ${noted}\n`,
  })
  await store.write(async (tx) => {
    // As somebody would who has the database.
    for (const statement of engine === 'sqlite'
      ? ['drop trigger admin_acts_no_update']
      : ['alter table admin_acts disable trigger admin_acts_no_change'])
      await sql.raw(statement).execute(tx)
    await tx.updateTable('admin_acts').set({ act: 'logout' }).where('seq', '=', 2).execute()
  })
  expect(await run()).toEqual({
    code: 1,
    output: 'Changed at entry 2: its content has changed, or the pepper is a different one\n',
  })
  expect((await run(['--noted', '2'])).code).toBe(2)
})
