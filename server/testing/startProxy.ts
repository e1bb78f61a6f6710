import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'

export type ProxyName = 'nginx' | 'caddy'

export type ProxyProcess = {
  readonly httpPort: number
  readonly httpsPort: number
  /** What its certificate is checked against. */
  readonly cert: string
  stop(): Promise<void>
}

const deploy = resolve(import.meta.dirname, '../../deploy')

export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0
}

/** Starts a proxy with the configuration that we ship, but for ports, places of files and the certificate, which has no authority behind it. */
export async function startProxy(
  name: ProxyName,
  { folder, upstreams }: { readonly folder: string; readonly upstreams: readonly string[] },
): Promise<ProxyProcess> {
  const [httpPort, httpsPort] = await findTwoPorts()
  mkdirSync(folder, { recursive: true })
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=board.example', '-addext', 'subjectAltName=DNS:board.example']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const facts = { folder, cert, key, httpPort, httpsPort, hosts: upstreams.map((url) => new URL(url).host) }
  const args = name === 'nginx' ? configureNginx(facts) : configureCaddy(facts)
  const child = spawn(name, args, {
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin:/bin', HOME: folder, XDG_DATA_HOME: folder },
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  while (!(await accepts(httpsPort)))
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${spawnSync(name, args).stderr}`)
  return {
    httpPort,
    httpsPort,
    cert: readFileSync(cert, 'utf8'),
    stop: async () => {
      // Caddy would wait for connections that nobody uses any more; nginx has workers that end with it.
      child.kill(name === 'caddy' ? 'SIGKILL' : 'SIGTERM')
      await ended
    },
  }
}

type Facts = Record<'folder' | 'cert' | 'key', string> &
  Record<'httpPort' | 'httpsPort', number> & { readonly hosts: readonly string[] }

/** @returns the arguments of the program */
function configureNginx({ folder, cert, key, httpPort, httpsPort, hosts }: Facts): string[] {
  const left = [...hosts]
  const servers = readFileSync(join(deploy, hosts.length === 3 ? 'nginx-three-servers.conf' : 'nginx-server.conf'), 'utf8')
    // A server too many or too few would be left with an address at which nobody is.
    .replaceAll(/(?<=^ *server )[\d.:]+(?= )/gm, (address) => left.shift() ?? address)
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`)
    .replaceAll(/^ *listen \[::\].*$/gm, '')
    .replaceAll(/\/etc\/letsencrypt\/\S+fullchain\.pem/g, cert)
    .replaceAll(/\/etc\/letsencrypt\/\S+privkey\.pem/g, key)
    .replace('/var/cache/nginx/chainboard', join(folder, 'cache'))
    .replace('/var/www/certbot', join(folder, 'certbot'))
    .replaceAll('/var/log/nginx/error.log', join(folder, 'error.log'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  const file = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const head = `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`
  // As Debian's nginx.conf has it, for every site that says nothing else.
  const log = `access_log ${folder}/access.log;`
  writeFileSync(file, `${head} http { ${log} ${temporary.join(' ')}\n${servers}\n${site}\n}`)
  return ['-c', file, '-e', join(folder, 'error.log')]
}

/** @returns the arguments of the program */
function configureCaddy({ folder, cert, key, httpPort, httpsPort, hosts }: Facts): string[] {
  const text = readFileSync(join(deploy, 'Caddyfile'), 'utf8')
    .replace('127.0.0.1:3000', hosts.join(' '))
    .replace('https://board.example {', `https://board.example {\n  tls ${cert} ${key}`)
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n  http_port ${httpPort}\n  https_port ${httpsPort}\n  admin off\n  auto_https disable_redirects\n}\n${text}`,
  )
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}

/** Two that differ: both are held until the second one is found. */
async function findTwoPorts(): Promise<readonly [number, number]> {
  const [first, second] = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')]
  await Promise.all([first, second].map((server) => once(server, 'listening')))
  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const found = [portOf(first), portOf(second)] as const
  await Promise.all([first, second].map((server) => new Promise((closed) => server.close(closed))))
  return found
}
