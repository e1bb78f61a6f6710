import { fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findFreePort } from '../../tools/freePort.ts'
import { adopt, type Child, runToEnd, start } from '../children.ts'
import { npmEnv } from '../inheritedEnv.ts'
import { poll, within } from '../waiting.ts'
import type { PeerData, PeerKind } from './peer.ts'

export type Peer = { readonly name: string; readonly port: number; readonly child: Child }

const here = import.meta.dirname
const installMsMax = 300_000
const startMsMax = 20_000
const askEveryMs = 50
const nginxBinaries = ['/usr/sbin/nginx', '/usr/bin/nginx']

/** Installs what package.json here names, unless it is there. @returns the versions @throws Error saying why it cannot be installed */
export async function installPeers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const isThere = Object.entries(dependencies).every(([name, wanted]) => {
    const path = join(here, 'node_modules', name, 'package.json')
    return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version === wanted
  })
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  if (!isThere) await runToEnd({ command: 'npm', args, cwd: here, env: npmEnv() }, { msMax: installMsMax, signal })
  return dependencies
}

export async function startPeer(kind: PeerKind, name: string, file: string, signal: AbortSignal): Promise<Peer> {
  const child = adopt(name, fork(join(here, 'peer.ts'), [kind, file], { detached: true, silent: true }))
  const listening = new Promise<number>((done) =>
    child.process.on('message', (message: { listening?: number }) => message.listening && done(message.listening)),
  )
  return { name, port: await within(listening, { what: name, msMax: startMsMax, signal, gone: child.gone }), child }
}

/** The same answers as files, packed ones beside them. Undefined: nginx is not installed. */
export async function startNginx(folder: string, { tokens }: PeerData, signal: AbortSignal): Promise<Peer | undefined> {
  const command = nginxBinaries.find((path) => existsSync(path))
  if (!command) return undefined
  const prices = join(folder, 'www', 'api', 'v1', 'prices')
  mkdirSync(prices, { recursive: true })
  const rateLimit = { tier: 'forever', limit: 10_000_000, remaining: 9_999_999 }
  for (const data of tokens)
    writeFileSync(join(prices, data.address.toLowerCase()), JSON.stringify({ success: true, data, rateLimit }))
  const list = JSON.stringify({ success: true, data: tokens, rateLimit })
  writeFileSync(join(prices, 'all'), list)
  writeFileSync(join(prices, 'all.gz'), gzipSync(list, { level: 9 }))
  const port = await findFreePort()
  writeFileSync(join(folder, 'nginx.conf'), toConfig(folder, port))
  const child = start(
    { command, args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')] },
    'SIGTERM',
  )
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) && true
  await poll(isUp, { what: 'nginx', everyMs: askEveryMs, msMax: startMsMax, signal, gone: child.gone })
  return { name: 'nginx, files', port, child }
}

function toConfig(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; default_type "application/json; charset=utf-8"; gzip_static on;
  open_file_cache max=2000; sendfile on; tcp_nopush on;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  server { listen 127.0.0.1:${port}; root ${folder}/www; location = /api/v1/prices { try_files /api/v1/prices/all =404; } }
}
`
}
