// A thread in which the writer of one SQLite file after the other runs: see reuseWriters.ts.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { type MessagePort, parentPort } from 'node:worker_threads'

type Start = { readonly file: string; readonly workerData: unknown; readonly port: MessagePort }

const builtIn = createRequire(import.meta.url)('node:worker_threads')
const owner = parentPort
let started = 0

owner?.on('message', async (message: Start | 'end') => {
  if (message === 'end') return owner.close()
  const { file, workerData, port } = message
  // What the writer's module imports as its own.
  Object.assign(builtIn, { parentPort: port, workerData })
  syncBuiltinESMExports()
  port.once('close', () => owner.postMessage('free'))
  started += 1
  await import(`${file}?${started}`)
})
