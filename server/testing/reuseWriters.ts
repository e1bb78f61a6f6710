// Set up before the tests of the server: the thread that owns the writing connection of a SQLite file is used again for the next file,
// once the store is closed. The tests of a run open some 2,000 such stores, and a new thread takes some 27 ms of processor: Node's own start and
// the loading of the writer. The writer's module is evaluated anew for each file, with a port and data of its own. A thread that dies
// is not used again. Servers that run as processes of their own start their threads as ever.
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { MessageChannel, type Worker, type WorkerOptions } from 'node:worker_threads'

/** A test opens several stores at once; further threads end with their store. */
const idleMax = 8

type Constructor = typeof Worker
type Patched = Constructor & { readonly reusesWriters?: true }

const builtIn: { Worker: Patched } = createRequire(import.meta.url)('node:worker_threads')
// Set up again for each test file of the process.
if (!builtIn.Worker.reusesWriters) {
  builtIn.Worker = reuse(builtIn.Worker)
  syncBuiltinESMExports()
}

function reuse(Real: Constructor): Patched {
  const idle: Worker[] = []
  const construct = (file: string | URL, options: WorkerOptions = {}) =>
    String(file).endsWith('/server/store/sqlite/writerWorker.ts')
      ? new LentWorker(Real, idle, { file: String(file), options })
      : new Real(file, options)
  return Object.assign(
    new Proxy(Real, { construct: (_, [file, options]: [string | URL, WorkerOptions?]) => construct(file, options) }),
    { reusesWriters: true as const },
  )
}

/** What the writer's owner sees of its thread: messages, an error, the exit. */
class LentWorker extends EventEmitter {
  readonly #port
  constructor(Real: Constructor, idle: Worker[], { file, options }: { readonly file: string; readonly options: WorkerOptions }) {
    super()
    const { workerData, ...others } = options
    const thread = idle.pop() ?? new Real(new URL('./writerShell.ts', import.meta.url), others)
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const onError = (error: Error) => this.emit('error', error)
    const end = (code: number) => {
      thread.off('error', onError).off('exit', end).off('message', giveBack)
      this.emit('exit', code)
    }
    // It has closed the file. One that died says nothing.
    const giveBack = () => {
      end(0)
      if (idle.length >= idleMax) return void thread.postMessage('end')
      // Nobody waits for a thread that has nothing to do.
      thread.unref()
      idle.push(thread)
    }
    thread.on('error', onError).on('exit', end).on('message', giveBack)
    port1.on('message', (answer) => this.emit('message', answer))
    thread.ref()
    thread.postMessage({ file, workerData, port: port2 }, [port2])
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }
}
