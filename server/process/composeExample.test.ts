import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { probesHere } from '../api/probes.ts'
import { readConfig } from '../config.ts'

const root = resolve(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

const closed = { additionalProperties: false }
const names = Type.Array(Type.String())
const seconds = Type.String({ pattern: '^\\d+s$' })
const logging = Type.Object({ driver: Type.String(), options: Type.Record(Type.String(), Type.String()) }, closed)
/** The keys that we use of those of Compose: a mistyped one is refused. */
const service = Type.Object(
  {
    image: Type.String(),
    build: Type.Optional(Type.Literal('.')),
    pull_policy: Type.Optional(Type.Literal('never')),
    restart: Type.Literal('unless-stopped'),
    stop_signal: Type.Optional(Type.String()),
    stop_grace_period: Type.String(),
    shm_size: Type.Optional(Type.String()),
    read_only: Type.Literal(true),
    tmpfs: names,
    cap_drop: Type.Optional(names),
    cap_add: Type.Optional(names),
    security_opt: Type.Tuple([Type.Literal('no-new-privileges:true')]),
    depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.Literal('service_healthy') }, closed))),
    environment: Type.Optional(Type.Record(Type.String(), Type.String())),
    volumes: names,
    ports: Type.Optional(names),
    networks: Type.Object({ site: Type.Object({ ipv4_address: Type.String() }, closed) }, closed),
    healthcheck: Type.Object(
      {
        test: Type.Array(Type.String(), { minItems: 2 }),
        interval: seconds,
        timeout: seconds,
        retries: Type.Integer(),
        start_period: Type.Optional(seconds),
      },
      closed,
    ),
    logging,
  },
  closed,
)
const site = Type.Object({ ipam: Type.Object({ config: Type.Array(Type.Object({ subnet: Type.String() }, closed)) }, closed) })
const compose = Type.Object({
  services: Type.Record(Type.String(), service),
  networks: Type.Object({ site }, closed),
  volumes: Type.Record(Type.String(), Type.Null()),
})

const { services, volumes } = Value.Parse(compose, parse(read('compose.yaml'), { merge: true }))
const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'))
const addressOf = (name: string) => services[name]?.networks.site.ipv4_address

/** What an operator writes into `.env`. */
const written: Readonly<Record<string, string>> = {
  NETWORK: 'celo',
  PUBLIC_URL: 'https://board.example',
  POSTGRES_PASSWORD: '5f0c9a3e',
  PIN_PEPPER: 'b2d1c7a09e8f4d3c2b1a0f9e8d7c6b5a',
  RPC_URL: 'https://one.example,https://two.example',
}
const fill = (text: string) => text.replaceAll(/\$\{(\w+)(?::[-?][^}]*)?\}/g, (_, name) => written[name] ?? '')
const environmentOf = (name: string) =>
  Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, text]) => [key, fill(text)]))

it('gives three servers an environment that the server takes, behind one proxy, with what they must share', () => {
  expect(servers).toHaveLength(3)
  for (const [name] of servers) {
    expect(readConfig(environmentOf(name), join(root, 'networks'))).toMatchObject({
      ...{ networkName: 'celo', origin: 'https://board.example', proxies: 1, role: 'auto', host: '0.0.0.0', port: 3000 },
      ...{ metricsPort: 9464, metricsHost: '0.0.0.0', drainSeconds: 1 },
      store: { databaseUrl: 'postgres://chainboard:5f0c9a3e@postgres:5432/chainboard' },
      pepper: { given: 'b2d1c7a09e8f4d3c2b1a0f9e8d7c6b5a' },
    })
  }
})

it('sets no variable that the settings do not have', () => {
  const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  const known = new Set(
    [...settings.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) +\|/gm)].flatMap(([, list]) => list?.match(/[A-Z_]+/g) ?? []),
  )
  const image = [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, list]) => list?.match(/[A-Z_]+(?==)/g) ?? [])
  const used = new Set([...image, ...servers.flatMap(([name]) => Object.keys(environmentOf(name)))])
  expect(known.size).toBeGreaterThan(20)
  expect(used.size).toBeGreaterThan(10)
  expect([...used].filter((name) => !known.has(name))).toEqual([])
})

it('has no secret in it: an operator writes them into .env, and Compose names one that is missing', () => {
  for (const [name, { environment = {} }] of Object.entries(services))
    for (const [key, text] of Object.entries(environment))
      if (/PEPPER|PASSWORD|TOKEN|KEY|RPC_URL|DATABASE_URL/.test(key))
        expect([name, key, text]).toEqual([name, key, expect.stringContaining('${')])
  for (const name of Object.keys(written)) expect(read('compose.yaml')).toContain(`\${${name}:?`)
})

it('leaves each server the time to drain', () => {
  for (const [name, { stop_grace_period: grace }] of servers)
    expect(Number(/^(\d+)s$/.exec(grace)?.[1])).toBeGreaterThan(Number(environmentOf(name)['DRAIN_SECONDS']) + 20)
})

it('asks for health where there is an answer', () => {
  const listens = [...read('nginx.conf').matchAll(/^ *listen (\d+)/gm)].map(([, port]) => port)
  for (const [name, { healthcheck }] of Object.entries(services)) {
    const url = URL.parse(/http:[^'\s]+/.exec(healthcheck.test.join(' '))?.[0] ?? '')
    if (name === 'postgres') expect(healthcheck.test).toContain('pg_isready')
    else if (name === 'nginx') expect(listens).toContain(url?.port || '80')
    else {
      expect(url?.port).toBe(environmentOf(name)['METRICS_PORT'])
      expect(probesHere).toContain(`${url?.pathname} `)
    }
  }
})

it('publishes the site alone to the world, and the probes to the machine', () => {
  expect(services['nginx']?.ports).toEqual(['80:80', '443:443'])
  expect(services['postgres']?.ports).toBeUndefined()
  expect(servers.flatMap(([, { ports }]) => ports ?? [])).toEqual([
    ...['127.0.0.1:9464:9464', '127.0.0.1:9465:9464', '127.0.0.1:9466:9464'],
  ])
})

it('lets nginx ask every server, at the address that it has', () => {
  const upstreams = [...read('nginx-three-servers.conf').matchAll(/^ *server (\S+) /gm)].map(([, address]) => address)
  expect(upstreams).toEqual(servers.map(([name]) => `${addressOf(name)}:${environmentOf(name)['PORT']}`))
  const addresses = Object.keys(services).map(addressOf)
  expect(new Set(addresses).size).toBe(5)
  for (const address of addresses) expect(address).toMatch(/^10\.83\.0\.\d+$/)
})

it('leaves nginx room for the 15,000 streams of three servers, with two connections each, even on one core', () => {
  expect(services['nginx']?.volumes).toContain('./nginx-main.conf:/etc/nginx/nginx.conf:ro')
  const limitOf = (name: string) => Number(new RegExp(`^ *${name} (\\d+);`, 'm').exec(read('nginx-main.conf'))?.[1])
  expect(limitOf('worker_connections')).toBeGreaterThan(30_000)
  expect(limitOf('worker_rlimit_nofile')).toBeGreaterThan(30_000)
})

it('lets certbot on the machine answer through nginx', () => {
  const root = /^ *root (\S+);/m.exec(read('nginx.conf'))?.[1]
  expect(services['nginx']?.volumes).toContain(`${root}:${root}:ro`)
})

it('mounts only what is there, and gives each server a folder of its own', () => {
  const mounts = Object.values(services).flatMap((each) => each.volumes.map((mount) => mount.split(':')[0] ?? ''))
  for (const mount of mounts) {
    if (mount.startsWith('./'))
      expect([mount, existsSync(join(mount === './networks' ? root : deploy, mount))]).toEqual([mount, true])
    else if (!mount.startsWith('/')) expect(Object.keys(volumes)).toContain(mount)
  }
  const own = mounts.filter((mount) => /^[a-z]/.test(mount))
  expect(own.toSorted()).toEqual(Object.keys(volumes).toSorted())
})
