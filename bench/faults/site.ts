import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServerProcess } from '../../server/testing/serverProcess.ts'
import { findFreePort } from '../../tools/freePort.ts'

/** A server that is started again when it ends, as by an operator's supervisor. */
export type Site = {
  readonly url: string
  /** Resolves when it listens, or has ended. */
  start(): Promise<void>
  /** Asks it to end, and does not start it again. Resolves with its exit code. */
  stop(): Promise<number | null>
  kill(signal: NodeJS.Signals): void
  /** Of the process that runs now, or ran last. */
  pid(): number
  /** How often it ended by itself. */
  ends(): number
  /** What ended ones said last, and what the running one has said so far. */
  words(): readonly string[]
}

const restartMs = 1_000
const stopMsMax = 25_000
const endsKept = 20
const running = new Set<ServerProcess>()

/** A site that does not run yet. @param settings of its environment */
export async function createSite(settings: Readonly<Record<string, string>>): Promise<Site> {
  const port = await findFreePort()
  const env = { NETWORK: 'devnet', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...settings, PORT: String(port) }
  const said: string[] = []
  let server: ServerProcess | undefined
  let [wanted, ends] = [false, 0]
  const launch = () => {
    const mine = startServerProcess(env)
    server = mine
    running.add(mine)
    void mine.ended.then(async () => {
      running.delete(mine)
      if (said.length < endsKept) said.push(mine.output())
      if (!wanted) return
      ends += 1
      await sleep(restartMs)
      if (wanted) launch()
    })
    return mine
  }
  return {
    url: `http://127.0.0.1:${port}`,
    start: async () => {
      wanted = true
      await launch().listening.catch(() => undefined)
    },
    stop: async () => {
      wanted = false
      const mine = server
      if (!mine || !running.has(mine)) return mine?.child.exitCode ?? null
      const timer = setTimeout(() => mine.child.kill('SIGKILL'), stopMsMax)
      mine.child.kill('SIGTERM')
      const code = await mine.ended
      clearTimeout(timer)
      return code
    },
    kill: (signal) => void server?.child.kill(signal),
    pid: () => server?.child.pid ?? 0,
    ends: () => ends,
    words: () => (server && running.has(server) ? [...said, server.output()] : said),
  }
}

/** One that is started where another runs already. */
export async function createSecond(settings: Readonly<Record<string, string>>) {
  const site = await createSite(settings)
  return { begin: () => site.start(), end: async () => void (await site.stop()), words: () => site.words() }
}

/** The last resort of a benchmark that fails. */
export function killSites(): void {
  for (const { child } of running) child.kill('SIGKILL')
}
