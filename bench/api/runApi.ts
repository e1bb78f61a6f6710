import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { writeNetworks } from '../board/writeNetworks.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { base, type Contestant, measureRound, type Result, type Round } from './measure.ts'
import type { PeerData } from './peer.ts'
import { installPeers, type Peer, startNginx, startPeer } from './peers.ts'
import { type Product, startProduct } from './product.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- api [--rounds n] [--seconds n] [--tokens n] [--out file]
  --rounds   each contestant once in each (default 6)
  --seconds  of load for each contestant in a round (default 5)
  --tokens   of the list (default 500)
  --out      the document whose section "Price API" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const keyCount = 20
const mixedRequests = 2_000
/** Until then the engine has compiled what is run often. */
const warmUpMsMin = 5_000

/** Measures, prints, and writes the section. @throws Error when somebody answers something else than asked for */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { rounds, seconds, tokens, out } = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the numbers will be worth little.')
  const versions = await installPeers(signal)
  const folder = makeFolder('api')
  const networksDir = join(folder, 'networks')
  writeNetworks(networksDir, tokens)
  const devnet = await startDevnet({ live: false, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const product = await startProduct(devnet.rpcUrl, { signal, NETWORKS_DIR: networksDir })
    const data = await readData(product)
    const file = join(folder, 'data.json')
    writeFileSync(file, JSON.stringify(data))
    const peers = {
      written: await startPeer('bareWritten', base.price, file, signal),
      headed: await startPeer('bareHeaded', 'node:http, written beforehand, our headers', file, signal),
      bare: await startPeer('bare', 'node:http', file, signal),
      express: await startPeer('express', 'Express, express-rate-limit', file, signal),
      fastify: await startPeer('fastify', 'Fastify, @fastify/rate-limit', file, signal),
      nginx: await startNginx(folder, data, signal),
    }
    if (!peers.nginx) console.warn('nginx is not installed: the rest is measured without it.')
    const questions = {
      price: listPriceContestants(product, peers, data),
      list: listListContestants(product, peers, data),
    }
    const results = await measureAll(questions, { rounds, ms: seconds * 1_000, signal })
    await product.server.stop()
    const command = `npm run bench -- api${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, machine, versions, tokens, hasNginx: peers.nginx !== undefined, ...results })
    console.log(`\n${section}`)
    writeSection(out, 'api', section)
    console.log(`Written to ${out}`)
  } finally {
    await devnet.stop()
    removeFolder(folder)
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '6' },
      seconds: { type: 'string', default: '5' },
      tokens: { type: 'string', default: '500' },
      out: { type: 'string', default: join(root, 'docs/benchmarks.md') },
    },
  })
  const toCount = (option: 'rounds' | 'seconds' | 'tokens', max: number, min = 1) =>
    parseCount({ option, text: values[option], min, max, usage })
  return {
    rounds: toCount('rounds', 100),
    seconds: toCount('seconds', 600),
    tokens: toCount('tokens', 20_000, 20),
    out: values.out,
  }
}

async function readData({ url, makeKeys }: Product): Promise<PeerData> {
  const { data } = (await (await fetch(`${url}/api/v1/prices`)).json()) as { data: PeerData['tokens'] }
  return { tokens: data, keys: await makeKeys(keyCount) }
}

type Peers = { readonly [name in 'written' | 'headed' | 'bare' | 'express' | 'fastify']: Peer } & {
  readonly nginx: Peer | undefined
}

const ask = (path: string, key: string | undefined, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: bench.example\r\nX-API-Key: ${key}\r\n${more}\r\n`

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
  const nginx = peers.nginx ? [of({ ...peers.nginx, name: 'nginx, files packed beforehand' })] : []
  const own = [of(ours('gzip')), of(ours('br'), 'Accept-Encoding: br, gzip\r\n'), unchanged]
  return [...own, of(bare), of(peers.express), of(peers.fastify), ...nginx]
}

function toPeer({ server, url }: Product, name: string): Peer {
  return { name, port: Number(new URL(url).port), child: server }
}

type Questions = { readonly [name in 'price' | 'list']: readonly Contestant[] }
type Rule = { readonly rounds: number; readonly ms: number; readonly signal: AbortSignal }

/** Contestants take turns, so that what else the machine does meets them all. The first round warms up. */
async function measureAll(questions: Questions, { rounds, ms, signal }: Rule) {
  const measure = async (contestants: readonly Contestant[]): Promise<Result[]> => {
    const results = contestants.map(({ name }) => ({ contestant: name, rounds: [] as Round[] }))
    for (let round = 0; round <= rounds; round += 1)
      for (const [place, contestant] of contestants.entries()) {
        const done = await measureRound(contestant, round === 0 ? Math.max(ms, warmUpMsMin) : ms, signal)
        if (round === 0) continue
        results[place]?.rounds.push(done)
        console.log(`${round}/${rounds} ${contestant.name}: ${Math.round(done.perCpuSecond)} for a second of CPU`)
      }
    return results
  }
  return { price: await measure(questions.price), list: await measure(questions.list) }
}
