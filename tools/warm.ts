// Compiles the server's TypeScript into Node's compile cache, so that a start neither compiles nor loads the compiler: the
// server is started once as always, on an empty store and without a node, and stopped as soon as it listens.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forkServer } from './serverProcess.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-warm-'))
const env = { NETWORK: 'devnet', RPC_URL: 'http://127.0.0.1:1', DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'silent' }
const server = forkServer({ PATH: process.env['PATH'], ...env }, 'ignore')
server.on('message', () => server.kill('SIGTERM'))
await new Promise((resolve) => server.once('exit', resolve))
rmSync(dir, { recursive: true })
