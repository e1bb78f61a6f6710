// Compiles the server's TypeScript into Node's compile cache, so that a start neither compiles nor loads the compiler.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../server/store/openStore.ts'
import { forkServer } from './serverProcess.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-warm-'))
// A configuration that it refuses: the server loads all of its files, says no, and ends.
await new Promise((resolve) => forkServer({ ...process.env, DATA_DIR: dir, PORT: 'none' }, 'ignore').once('exit', resolve))
// The thread that writes to the database is a program of its own.
const store = await openStore({ file: join(dir, 'warm.db') })
await store.close()
rmSync(dir, { recursive: true })
