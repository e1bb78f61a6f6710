import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { startBusyClients, type Tally } from '../../server/testing/busyClients.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { startProduct } from '../api/product.ts'
import { type Child, makeFolder, start } from '../children.ts'
import { type Measuring, measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { poll, within } from '../waiting.ts'
import { withDevnet } from '../withDevnet.ts'

export const usage = `npm run bench -- drain [--requests n] [--out file]
  --requests through nginx during the restarts of its two servers (default 10000)
  --out      the document with the section "Rolling restart" (default docs/benchmarks.md)`

const nginxBinaries = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx']
const clients = 32
const msMax = 900_000

/** Restarts two servers behind nginx in turn until so many requests were answered. @throws NotMeasured without nginx */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options: { requests: { type: 'string', default: '10000' }, out: outOption } })
  const requests = parseCount({ option: 'requests', text: values.requests, min: 100, max: 10_000_000 })
  await measureSection({ name: 'drain', args, out: values.out }, (measuring) =>
    withDevnet({ live: false, signal }, async (devnet) => {
      const servers = [await openServer(devnet, signal), await openServer(devnet, signal)] as const
      const ports = servers.map(({ port }) => port)
      const { url, nginx } = await startNginx(ports, signal)
      const { tally, restarts } = await restartInTurn(url, { servers, requests, devnet, signal })
      await Promise.all([nginx.stop(), ...servers.map((server) => server.stop())])
      console.log(JSON.stringify(tally))
      return toSection(measuring, tally, restarts)
    }),
  )
}

/** The section "Rolling restart" of the document. */
export function toSection(
  measuring: Measuring,
  { statuses, broken }: Pick<Tally, 'statuses' | 'broken'>,
  restarts: number,
): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const cutOff = sum(Object.values(broken))
  const failed = Object.entries(statuses).flatMap(([status, count]) => (Number(status) >= 500 ? count : []))
  const figures = [sum(Object.values(statuses)) + cutOff, restarts, sum(failed) + cutOff]
  return [
    ...toHead({
      ...measuring,
      title: 'Rolling restart',
      about: `Two servers, each with its own store, behind nginx with the default \`proxy_next_upstream\` and \`max_fails=0\`; ${clients} clients on kept
connections. Each server in turn is stopped by SIGTERM and started again. _Failed_: answered with 5xx, or cut off.`,
    }),
    toTable(['Requests', 'Restarts', 'Failed'], [figures.map(String)], 0),
  ].join('\n\n')
}

type Restarted = { readonly port: number; restart(): Promise<void>; stop(): Promise<void> }

async function openServer(devnet: Devnet, signal: AbortSignal): Promise<Restarted> {
  const port = await findFreePort()
  const env = { PORT: String(port), DATA_DIR: makeFolder('drain'), DRAIN_SECONDS: '1' }
  let product = await startProduct(devnet.rpcUrl, env, signal)
  return {
    port,
    restart: async () => {
      product.server.process.kill('SIGTERM')
      await within(product.server.gone, { what: 'the stop', msMax: 30_000, signal })
      product = await startProduct(devnet.rpcUrl, env, signal)
    },
    stop: () => product.server.stop(),
  }
}

type Plan = {
  readonly servers: readonly Restarted[]
  readonly requests: number
  readonly devnet: Devnet
  readonly signal: AbortSignal
}

async function restartInTurn(url: string, { servers, requests, devnet, signal }: Plan) {
  const token = devnet.tokens[0]?.address ?? ''
  const paths = ['/', '/api/trending', '/assets.json', `/api/tokens/${token}/chart?range=1m`, `/api/tokens/${token}/swaps`]
  const load = startBusyClients(url, clients, paths)
  let [restarts, enough] = [0, false]
  void load.answered(requests).then(() => {
    enough = true
  })
  while (!enough || restarts < 4) {
    await servers[restarts % servers.length]?.restart()
    restarts += 1
    console.log(`restart ${restarts}`)
  }
  load.stop()
  const tally: Tally = await within(load.over, { what: 'the clients', msMax, signal })
  return { tally, restarts }
}

async function startNginx(ports: readonly number[], signal: AbortSignal): Promise<{ url: string; nginx: Child }> {
  const command = nginxBinaries.find((path) => existsSync(path))
  if (!command) throw new NotMeasured('nginx is not installed: apt-get install nginx-light')
  const folder = makeFolder('nginx')
  const port = await findFreePort()
  writeFileSync(join(folder, 'nginx.conf'), toConfig(folder, port, ports))
  const nginx = start({ command, args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')] })
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => (await fetch(url).catch(() => undefined)) && true
  await poll(isUp, { what: 'nginx', everyMs: 50, msMax: 20_000, signal, gone: nginx.gone })
  return { url, nginx }
}

function toConfig(folder: string, port: number, servers: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream board { ${servers.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')} }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://board; } }
}
`
}
