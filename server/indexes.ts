// `npm run indexes`: the indexes that were set aside, and the way back to one. The server must not run meanwhile.
import { Failure } from '@chainboard/core'
import { readConfigOrExit } from './readConfigOrExit.ts'
import { dropAsideIndex, listAsideIndexes, putIndexBack } from './store/asideIndexes.ts'
import { openServerStore } from './store/openStore.ts'

const usage = 'Usage: npm run indexes -- list | restore <number> | delete <number>'

const [act = 'list', which] = process.argv.slice(2)
const number = Number(which)
if (!['list', 'restore', 'delete'].includes(act) || (act !== 'list' && !(Number.isSafeInteger(number) && number > 0)))
  exitWith(usage)
const { store: location } = readConfigOrExit()
const store = await openServerStore(location, () => undefined).catch(exitWithFailure)
const nowSeconds = Math.floor(Date.now() / 1000)
try {
  if (act === 'list') await list()
  if (act === 'restore') {
    const replaced = await putIndexBack(store, number, nowSeconds)
    console.log(`Index ${number} is back.${replaced === undefined ? '' : ` The one in its place is number ${replaced} now.`}`)
  }
  if (act === 'delete') {
    await dropAsideIndex(store, number)
    console.log(`Index ${number} is deleted.`)
  }
} catch (error) {
  exitWithFailure(error)
} finally {
  await store.close()
}

async function list(): Promise<void> {
  const indexes = await listAsideIndexes(store.read)
  if (indexes.length === 0) console.log('No index was set aside.')
  for (const { number, identity, block, setAsideAtSeconds } of indexes) {
    const [chainId, , factory] = identity.split(':')
    const day = new Date(setAsideAtSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
    console.log(`${number}  chain ${chainId}, factory ${factory}, up to block ${block}, set aside ${day} UTC`)
  }
}

function exitWithFailure(error: unknown): never {
  if (error instanceof Failure) exitWith(error.message)
  throw error
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
