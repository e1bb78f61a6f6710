import { Worker } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import type { SourceLog } from '../../market/pollSource.ts'
import type { Health } from './health.ts'
import type { FromProbes, ProbesPlace, ToProbes } from './probesThread.ts'

export type Probes = {
  /** Where it listens: `http://127.0.0.1:9464`. */
  readonly url: string
  close(): Promise<void>
}

/** Signs of life, and words on readiness: a probe answers with one that is this old, and as much older as the server is busy. */
const beatMs = 500
const restartMs = 1_000

type ProbesConfig = {
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly metricsToken?: string | undefined
}
type ProbesHealth = Pick<Health, 'readiness'> & {
  readonly metrics: Pick<Health['metrics'], 'text' | 'contentType'>
  readonly drain: Pick<Health['drain'], 'isDraining' | 'onBegin'>
}

/**
 * `/healthz`, `/readyz` and `/metrics` on a thread of their own; undefined without `METRICS_PORT`. The thread is started again
 * when it ends by itself.
 * @throws Failure `config-invalid` when it cannot listen there
 */
export async function openProbes(
  { metricsPort, metricsHost: host, metricsToken: token }: ProbesConfig,
  { readiness, metrics, drain }: ProbesHealth,
  log: Pick<SourceLog, 'error'>,
): Promise<Probes | undefined> {
  if (metricsPort === undefined) return undefined
  let closing = false
  let worker: Worker | undefined
  let restarting: NodeJS.Timeout | undefined
  const post = (message: ToProbes) => worker?.postMessage(message)
  const tellFigures = async () => post({ kind: 'figures', text: await metrics.text(), contentType: metrics.contentType })
  const tellReadiness = async () => {
    const body = await readiness()
    post({ kind: 'ready', ready: body.ready, body: JSON.stringify(body) })
  }
  const onBug = (err: unknown) => log.error({ err }, 'The probes failed because of a bug')

  const start = (port: number) => {
    const { promise: listening, resolve, reject } = Promise.withResolvers<number>()
    const place: ProbesPlace = { host, port, token }
    const started = new Worker(new URL('./probesThread.ts', import.meta.url), { workerData: place })
    worker = started
    started.on('message', (word: FromProbes) => {
      if (word.kind === 'listening') resolve(word.port)
      if (word.kind === 'failed') reject(cannotListen(place, word.code))
      if (word.kind === 'figures') tellFigures().catch(onBug)
    })
    started.on('error', (err) => log.error({ err }, 'The probe thread failed and restarts'))
    started.once('exit', () => {
      reject(cannotListen(place, 'the thread ended'))
      if (!closing && worker === started) restarting = setTimeout(() => restart(port), restartMs).unref()
    })
    return listening
  }
  const restart = (port: number) => {
    start(port).catch((err: unknown) => {
      log.error({ err }, 'The probes cannot listen; the server retries')
      void worker?.terminate()
    })
  }

  const close = async () => {
    closing = true
    clearTimeout(restarting)
    clearInterval(timer)
    await worker?.terminate()
  }
  const timer = setInterval(() => {
    post({ kind: 'beat' })
    // A server that ends does not become ready again, and closes what would be asked.
    if (!drain.isDraining()) tellReadiness().catch(onBug)
  }, beatMs).unref()
  drain.onBegin(() => void tellReadiness().catch(onBug))
  try {
    const port = await start(metricsPort)
    await tellReadiness()
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close }
  } catch (error) {
    await close()
    throw error
  }
}

function cannotListen({ host, port }: Pick<ProbesPlace, 'host' | 'port'>, code: string): Failure {
  const why = code === 'EADDRINUSE' ? 'it is taken by another program' : code
  return new Failure('config-invalid', `METRICS_PORT ${port} of ${host} cannot be used: ${why}. Choose another port`, {
    detail: { host, port, code },
  })
}
