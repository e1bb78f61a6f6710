// `npm run indexes`: the indexes that were set aside, and the way back to one. The server must not run meanwhile.
import { Failure } from '@chainboard/core'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { dropAsideIndex, listAsideIndexes, putIndexBack } from '../store/asideIndexes.ts'
import { checkFile, openServerStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import { runTool } from './runTool.ts'

const usage = 'Usage: npm run indexes -- list | restore <number> | delete <number>'

const acts: Readonly<Record<string, (store: Store, number: number) => Promise<void>>> = { list, restore, delete: remove }

const [name = 'list', which] = process.argv.slice(2)
const act = acts[name]
const number = Number(which)
await runTool(async () => {
  if (!act || (act !== list && !(Number.isSafeInteger(number) && number > 0))) throw new Failure('request-invalid', usage)
  const { store: location } = readConfigOrExit()
  if ('file' in location) checkFile(location.file)
  const store = await openServerStore(location, () => undefined)
  await act(store, number).finally(store.close)
})

async function list(store: Store): Promise<void> {
  const indexes = await listAsideIndexes(store.read)
  if (indexes.length === 0) console.log('No index was set aside.')
  for (const { number, identity, block, setAsideAtSeconds } of indexes) {
    const [chainId, , factory] = identity.split(':')
    const minute = new Date(setAsideAtSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
    console.log(`${number}  chain ${chainId}, factory ${factory}, up to block ${block}, set aside ${minute} UTC`)
  }
}

async function restore(store: Store, number: number): Promise<void> {
  const replaced = await putIndexBack(store, number, Math.floor(Date.now() / 1000))
  console.log(`Index ${number} is restored.${replaced === undefined ? '' : ` The one in its place is number ${replaced} now.`}`)
}

async function remove(store: Store, number: number): Promise<void> {
  await dropAsideIndex(store, number)
  console.log(`Index ${number} is deleted.`)
}
