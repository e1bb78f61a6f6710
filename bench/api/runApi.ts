import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { routes } from '@chainboard/contract'
import { writeNetworks } from '../board/writeNetworks.ts'
import { fetchJson } from '../checkShape.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { withDevnet } from '../withDevnet.ts'
import { base, type Contestant, measureRound, type Result, type Round } from './measure.ts'
import type { PeerData } from './peer.ts'
import { installPeers, type Peer, startNginx, startPeer } from './peers.ts'
import { type Product, startProduct } from './product.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- api [--rounds n] [--seconds n] [--tokens n] [--out file]
  --rounds   each contestant runs once in each (default 6)
  --seconds  of load on each contestant in a round (default 5)
  --tokens   in the list (default 500)
  --out      the document with the section "Price API" (default docs/benchmarks.md)`

const keyCount = 20
const mixedRequests = 2_000
/** By then the engine has compiled what runs often. */
const warmUpMsMin = 5_000

/** Compares the price API with others. @throws OtherAnswers when a server answers something else than asked for */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { rounds, seconds, tokens, out } = parseOptions(args)
  await measureSection({ name: 'api', args, out }, async (measuring) => {
    const versions = await installPeers(signal)
    const folder = makeFolder('api')
    const networksDir = join(folder, 'networks')
    writeNetworks(networksDir, tokens)
    const measured = await withDevnet({ live: false, signal }, async ({ rpcUrl }) => {
      const product = await startProduct(rpcUrl, { NETWORKS_DIR: networksDir }, signal)
      const data = await readData(product)
      const peers = await startPeers(folder, data, signal)
      if (!peers.nginx) console.warn('nginx is not installed: measuring without it.')
      const rule = { rounds, ms: seconds * 1_000, signal }
      const price = await measureAll(listPriceContestants(product, peers, data), rule)
      const list = await measureAll(listListContestants(product, peers, data), rule)
      await product.server.stop()
      return { hasNginx: peers.nginx !== undefined, price, list }
    })
    removeFolder(folder)
    return toSection({ ...measuring, versions, tokens, ...measured })
  })
}

async function startPeers(folder: string, data: PeerData, signal: AbortSignal): Promise<Peers> {
  const file = join(folder, 'data.json')
  writeFileSync(file, JSON.stringify(data))
  return {
    written: await startPeer('bareWritten', base.price, file, signal),
    headed: await startPeer('bareHeaded', 'node:http, prepared answers, our headers', file, signal),
    bare: await startPeer('bare', 'node:http', file, signal),
    express: await startPeer('express', 'Express, express-rate-limit', file, signal),
    fastify: await startPeer('fastify', 'Fastify, @fastify/rate-limit', file, signal),
    nginx: await startNginx(folder, data, signal),
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '6' },
      seconds: { type: 'string', default: '5' },
      tokens: { type: 'string', default: '500' },
      out: outOption,
    },
  })
  const toCount = (option: 'rounds' | 'seconds' | 'tokens', max: number, min = 1) =>
    parseCount({ option, text: values[option], min, max })
  return {
    rounds: toCount('rounds', 100),
    seconds: toCount('seconds', 600),
    tokens: toCount('tokens', 20_000, 20),
    out: values.out,
  }
}

async function readData({ url, makeKeys }: Product): Promise<PeerData> {
  const { data } = await fetchJson(routes.listPrices.schema.response[200], `${url}/api/v1/prices`)
  return { tokens: data, keys: await makeKeys(keyCount) }
}

type Peers = { readonly [name in 'written' | 'headed' | 'bare' | 'express' | 'fastify']: Peer } & {
  readonly nginx: Peer | undefined
}

const ask = (path: string, key: string | undefined, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n${more}\r\n`

function listPriceContestants(product: Product, peers: Peers, { tokens, keys }: PeerData): Contestant[] {
  const requests = Array.from({ length: mixedRequests }, (_, i) =>
    ask(`/api/v1/prices/${tokens[(i * 7) % tokens.length]?.address.toLowerCase()}`, keys[i % keys.length]),
  )
  const of = ({ name, port, child }: Peer): Contestant => ({
    name,
    port,
    pid: child.pid,
    requests: async () => requests,
    status: '200',
  })
  const others = [peers.written, peers.headed, peers.bare, peers.express, peers.fastify, ...(peers.nginx ? [peers.nginx] : [])]
  return [of(toPeer(product, 'Chainboard')), ...others.map(of)]
}

function listListContestants(product: Product, peers: Peers, { keys }: PeerData): Contestant[] {
  const path = '/api/v1/prices'
  const toRequests = (more: string) => keys.map((key) => ask(path, key, more))
  const of = ({ name, port, child }: Peer, more = 'Accept-Encoding: gzip\r\n'): Contestant => ({
    name,
    port,
    pid: child.pid,
    requests: async () => toRequests(more),
    status: '200',
  })
  const ours = (name: string) => toPeer(product, `Chainboard, ${name}`)
  const unchanged: Contestant = {
    ...of(ours('304')),
    status: '304',
    requests: async () => toRequests(`If-None-Match: ${(await fetch(`${product.url}${path}`)).headers.get('etag')}\r\n`),
  }
  const bare = { ...peers.bare, name: base.list }
  const nginx = peers.nginx ? [of({ ...peers.nginx, name: 'nginx, compressed files' })] : []
  const own = [of(ours('gzip')), of(ours('br'), 'Accept-Encoding: br, gzip\r\n'), unchanged]
  return [...own, of(bare), of(peers.express), of(peers.fastify), ...nginx]
}

function toPeer({ server, url }: Product, name: string): Peer {
  return { name, port: Number(new URL(url).port), child: server }
}

type Rule = { readonly rounds: number; readonly ms: number; readonly signal: AbortSignal }

/** Contestants take turns, so that other work on the machine affects all of them. The first round warms up. */
async function measureAll(contestants: readonly Contestant[], { rounds, ms, signal }: Rule): Promise<Result[]> {
  const played = contestants.map((contestant): { contestant: Contestant; rounds: Round[] } => ({ contestant, rounds: [] }))
  for (let round = 0; round <= rounds; round += 1)
    for (const { contestant, rounds: own } of played) {
      const done = await measureRound(contestant, round === 0 ? Math.max(ms, warmUpMsMin) : ms, signal)
      if (round === 0) continue
      own.push(done)
      console.log(`${round}/${rounds} ${contestant.name}: ${Math.round(done.perCpuSecond)} per CPU second`)
    }
  return played.map(({ contestant, rounds: own }) => ({ contestant: contestant.name, rounds: own }))
}
