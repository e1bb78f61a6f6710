import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DevnetFault } from './devnetFault.ts'
import { createRpc, type Rpc } from './rpc.ts'

export type AnvilOptions = {
  readonly chainId: number
  /** Unix seconds of the first block. */
  readonly genesisSeconds: number
  /** Absent: any free one. */
  readonly port?: number
  /** The node's home folder. It has nothing to write there; if it ever does, it stays in this place. */
  readonly home: string
}

export type Anvil = {
  readonly rpcUrl: string
  readonly rpc: Rpc
  /** Of the shell that watches over the node. */
  readonly watchdogPid: number
  /** Settles when the node is gone, with its last words if it went by itself. */
  readonly gone: Promise<string>
  stop(): Promise<void>
}

const require = createRequire(import.meta.url)
const readyMsMax = 15_000
const keptStates = 128
/** Room for any block of the history. A limit there must be: without one, a call that names no gas runs without end. */
const historyGasMax = 1_000_000_000_000

/**
 * Starts the node and ends it when the pipe from this process closes, however this process dies: even after a `kill -9`
 * the pipe is closed by the system. The shell runs in its own process group, so Ctrl-C in a terminal reaches only us.
 */
const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- &
node=$!
( cat <&3 >/dev/null; kill -9 $node ) 2>/dev/null &
watcher=$!
exec 3<&-
wait $node
status=$?
kill $watcher 2>/dev/null
exit $status
`

/** @throws DevnetFault with the node's own words when it does not come up */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = await claimPort(options.port ?? 0)
  mkdirSync(options.home, { recursive: true })
  const child = spawn('sh', ['-c', watchdog, 'sh', resolveBinary(), ...toArguments(options, port)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    env: { PATH: process.env['PATH'], HOME: options.home },
  })
  const gone = watch(child)
  const rpcUrl = `http://127.0.0.1:${port}`
  const rpc = createRpc(rpcUrl)
  const stop = async () => {
    child.stdin?.destroy()
    await gone
    rpc.close()
  }
  try {
    await waitUntilReady(rpc, gone, options.chainId)
  } catch (error) {
    await stop()
    throw error
  }
  return { rpcUrl, rpc, watchdogPid: child.pid ?? 0, gone, stop }
}

function toArguments(options: AnvilOptions, port: number): string[] {
  const values = {
    port,
    'chain-id': options.chainId,
    timestamp: options.genesisSeconds,
    'prune-history': keptStates,
    'gas-limit': historyGasMax,
  }
  const flags = ['--no-mining', '--no-request-size-limit', '--quiet']
  return [...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]), ...flags]
}

function watch(child: ChildProcess): Promise<string> {
  let words = ''
  child.stderr?.on('data', (part: Buffer) => {
    words = (words + part.toString()).slice(-2_000)
  })
  child.stdin?.on('error', () => {})
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`cannot start a shell for the node: ${error.message}`))
    child.on('exit', (status, signal) => {
      child.stdin?.destroy()
      resolve(`the node ended (${signal ?? status}) ${words.trim()}`)
    })
  })
}

async function waitUntilReady(rpc: Rpc, gone: Promise<string>, chainId: number): Promise<void> {
  let words: string | undefined
  gone.then((text) => {
    words = text
  })
  const giveUpMs = Date.now() + readyMsMax
  for (;;) {
    const found = await rpc.call<string>('eth_chainId').catch(() => undefined)
    if (words !== undefined) throw new DevnetFault(words)
    if (Number(found) === chainId) return
    if (found) throw new DevnetFault(`another chain (id ${Number(found)}) already listens on the node's port`)
    if (Date.now() > giveUpMs) throw new DevnetFault(`the node did not respond within ${readyMsMax / 1000} s`)
    await sleep(15)
  }
}

function resolveBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    const fromAnvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    return fromAnvil.resolve(`${name}/bin/anvil`)
  } catch (cause) {
    throw new DevnetFault(
      `the local chain needs the package ${name}, which is not installed; anvil may not support this system`,
      {
        cause,
      },
    )
  }
}

/** The wanted port if it is free (0: any free one), so that we never talk to somebody else's node. */
function claimPort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', (cause) =>
      reject(new DevnetFault(`port ${wanted} for the local chain cannot be used: ${cause.message}`, { cause })),
    )
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : wanted))
    })
  })
}
