import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { findFreePort } from '../../tools/freePort.ts'
import { readJson } from '../checkShape.ts'
import { type Child, forkChild, runToEnd, start } from '../children.ts'
import { npmEnv } from '../inheritedEnv.ts'
import { receive } from '../receive.ts'
import { poll } from '../waiting.ts'
import type { PeerData, PeerKind } from './peer.ts'

/** A server to compare with. */
export type Peer = { readonly name: string; readonly port: number; readonly child: Child }

const here = import.meta.dirname
const installMsMax = 300_000
const startMsMax = 20_000
const askEveryMs = 50
const installed = Type.Object({ version: Type.String() })
const wantedPackages = Type.Object({ dependencies: Type.Record(Type.String(), Type.String()) })
const listeningMessage = Type.Object({ listening: Type.Integer() })
const nginxBinaries = ['/usr/sbin/nginx', '/usr/bin/nginx']

/** Installs what package.json here names, unless it is there. @returns the versions @throws NotMeasured with what npm says */
export async function installPeers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const { dependencies } = readJson(wantedPackages, join(here, 'package.json'))
  const isThere = Object.entries(dependencies).every(([name, wanted]) => {
    const path = join(here, 'node_modules', name, 'package.json')
    return existsSync(path) && readJson(installed, path).version === wanted
  })
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  if (!isThere) await runToEnd({ command: 'npm', args, cwd: here, env: npmEnv() }, { msMax: installMsMax, signal })
  return dependencies
}

/** Starts another way to write the same API. @param file the data that it answers with @throws NotMeasured when it does not listen */
export async function startPeer(kind: PeerKind, name: string, file: string, signal: AbortSignal): Promise<Peer> {
  const child = forkChild(name, join(here, 'peer.ts'), [kind, file])
  const { listening } = await receive(child, listeningMessage, { what: name, msMax: startMsMax, signal })
  return { name, port: listening, child }
}

/** The same answers as files, also compressed. Undefined: nginx is not installed. @throws NotMeasured when it does not answer */
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
