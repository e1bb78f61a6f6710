// The server as a process: configuration from the environment, exit codes. How it ends: stopOnSignal.ts.
import { Failure } from '@chainboard/core'
import { readConfigOrExit } from './readConfigOrExit.ts'
import { startServer } from './startServer.ts'
import { stopOnSignal } from './stopOnSignal.ts'

// What it writes, users' wallets among it, is for its own account alone.
process.umask(0o077)
const config = readConfigOrExit()
const server = await startServer(config, undefined, (failure) => {
  console.error(failure.message)
  process.exitCode = 1
  stop()
}).catch((error: NodeJS.ErrnoException | Failure) => {
  if (error instanceof Failure) {
    console.error(`Chainboard cannot start: ${error.message}`)
    process.exit(2)
  }
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${config.port} of ${config.host} is taken by another program: choose another one with PORT`)
  process.exit(1)
})
const stop = stopOnSignal(server, config)
// Whoever started this process as a child waits for the word, and takes it along when it goes.
const say = (word: { listening: string } | { full: string }) => {
  if (process.send) process.send(word)
  else console.log('full' in word ? `Chainboard is full of live data: ${word.full}` : `Chainboard listens at ${word.listening}`)
}
say({ listening: server.url })
void server.full.then(() => say({ full: server.url }))
