// `npm start`: on the devnet the chain and the server, on any other network the server alone. What this starts, it stops.
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { messageOf, supervise } from '@chainboard/core'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { outliveReader } from '../server/outliveReader.ts'
import { pause } from '../server/pause.ts'
import { readConfigOrExit } from '../server/readConfigOrExit.ts'
import { toStopMsMax } from '../server/stopOnSignal.ts'
import { forkServer } from './serverProcess.ts'

/** A server that had listened ended by itself. */
class ServerEnded extends Error {}

const root = resolve(import.meta.dirname, '..')
/** More than the server itself takes at most, which ends itself then. */
const stopSpareMs = 2_000
/** Ctrl-C reaches this process from the terminal and from npm: what comes so soon after the first is the same wish. */
const sameWishMs = 1_000

outliveReader()
const stopping = new AbortController()
let devnet: Devnet | undefined
let server: ChildProcess | undefined
let hasListened = false

let firstSignalMs: number | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    firstSignalMs ??= performance.now()
    // A second one does not want to wait.
    if (performance.now() - firstSignalMs > sameWishMs) server?.kill('SIGKILL')
    void stop(0)
  })

// Problems are told before a devnet is made for nothing.
const { drainSeconds } = readConfigOrExit()
const env = { ...process.env }
if ((env['NETWORK'] || 'devnet') === 'devnet' && !env['RPC_URL']) {
  const dataDir = resolve(env['DATA_DIR'] || resolve(root, 'data'))
  const replayCsv = env['DEVNET_REPLAY']
  try {
    devnet = await startDevnet({
      dataDir,
      live: true,
      signal: stopping.signal,
      onProgress: (text) => console.log(`devnet: ${text}`),
      ...(replayCsv ? { replayCsv: resolve(replayCsv) } : {}),
    })
  } catch (error) {
    if (!stopping.signal.aborted) console.error(`The devnet did not start: ${messageOf(error)}`)
    await stop(1)
  }
  env['RPC_URL'] = devnet?.rpcUrl
  if (devnet) console.log(`devnet: its node is at ${devnet.rpcUrl}`)
  void devnet?.gone.then((lastWords) => {
    if (!stopping.signal.aborted) console.error(`The devnet ended: ${lastWords}`)
    void stop(1)
  })
}
if (!stopping.signal.aborted)
  void supervise(runServer, {
    signal: stopping.signal,
    nowMs: () => performance.now(),
    pause,
    onFault: (error, retryInMs) => console.error(`${messageOf(error)}; restarting in ${retryInMs / 1_000} s`),
  })

/** Runs the server to its end. @throws ServerEnded when it ended by itself after it had listened, so that it starts again */
async function runServer(): Promise<void> {
  const child = forkServer(env)
  server = child
  child.on('message', (message: { listening?: string; full?: string }) => {
    if (message.listening) console.log(`Listening at ${message.listening}; reading the chain`)
    if (message.full) console.log(`Chainboard is ready: ${message.full}`)
    hasListened = true
  })
  const { promise, resolve: ended } = Promise.withResolvers<number | string>()
  child.on('exit', (code, signal) => ended(code ?? signal ?? 1))
  const end = await promise
  server = undefined
  if (stopping.signal.aborted) return
  // A server that never began has said why.
  if (end === 0 || !hasListened) return stop(typeof end === 'number' ? end : 1)
  throw new ServerEnded(`The server ended with ${end}`)
}

async function stop(code: number): Promise<void> {
  if (stopping.signal.aborted) return
  stopping.abort()
  process.exitCode = code
  await stopServer()
  await devnet?.stop()
  process.exit()
}

async function stopServer(): Promise<void> {
  const child = server
  if (!child) return
  const { promise, resolve: ended } = Promise.withResolvers<void>()
  child.once('exit', () => ended())
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), toStopMsMax(drainSeconds) + stopSpareMs)
  await promise
  clearTimeout(timer)
}
