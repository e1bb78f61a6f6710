// Compiles the server's TypeScript into Node's compile cache, so that a start neither compiles nor loads the compiler.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../server/store/openStore.ts'
import '../server/startServer.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-warm-'))
const store = await openStore({ file: join(dir, 'warm.db') })
await store.close()
rmSync(dir, { recursive: true })
