// The server as a process: configuration from the environment, exit codes. How it ends: stopOnSignal.ts.
import { Failure } from '@chainboard/core'
import { freeThreadsOfSpaceFlag, keepHeapPace } from './heapPace.ts'
import { outliveReader } from './outliveReader.ts'
import { readConfigOrExit } from './readConfigOrExit.ts'
import { startServer } from './startServer.ts'
import { stopOnSignal } from './stopOnSignal.ts'
import { storeExplained } from './store/openStore.ts'

// What it writes, users' wallets among it, is for its own account alone.
process.umask(0o077)
outliveReader()
freeThreadsOfSpaceFlag()
const config = readConfigOrExit()
let stop: (() => void) | undefined
const onLost = (failure: Failure) => {
  console.error(failure.message)
  // In the middle of a start nothing answers yet that could be ended in order.
  if (!stop) process.exit(1)
  process.exitCode = 1
  stop()
}
const server = await storeExplained(config.store, () => startServer(config, undefined, onLost)).catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error
  console.error(`Chainboard cannot start: ${error.message}`)
  process.exit(2)
})
stop = stopOnSignal(server, config)
// Flags that Node was not built with make V8 compile Node's own modules anew: they are set when these are there, and those of the database thread.
keepHeapPace()
// A parent process waits for this message, and stops this process when it ends itself.
const say = (word: { listening: string } | { full: string }) => {
  if (process.send) process.send(word)
  else console.log('full' in word ? `Chainboard is ready: ${word.full}` : `Chainboard listens at ${word.listening}`)
}
say({ listening: server.url })
void server.full.then(() => say({ full: server.url }))
