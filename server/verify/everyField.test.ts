// Whatever is changed in a receipt, with the checksum made right again, the verifier names it, or its documentation does.
import { join } from 'node:path'
import type { FigureName } from '@chainboard/contract'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { type Server, startServer } from '../startServer.ts'
import { rememberAnswers } from '../testing/rememberAnswers.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { atSitesWord } from './atSitesWord.ts'
import type { Verdict } from './judge.ts'
import { readSite, type SiteClaim } from './readSite.ts'
import { verifyClaim } from './verifyClaim.ts'

const stores = createTempStores()
let devnet: Devnet
let server: Server
let verify: (claim: SiteClaim) => Promise<Verdict>

beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
  await start()
  // So that there is a price of a day before, and a last trade of every pool that is older than the window.
  await devnet.rpc('evm_increaseTime', [86_400 + 30])
  await trade(0, 60)
  await trade(1, -40)
  const chain = rememberAnswers(createViemChain([devnet.rpcUrl]))
  verify = (claim) => verifyClaim({ chain, logRange: 1_000, onLogs: () => undefined }, claim, (said) => said)
}, 120_000)
afterAll(async () => {
  await server.close()
  await devnet.stop()
})

async function start() {
  const config = readConfig({ RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'data'), PORT: '0', LOG_LEVEL: 'silent' })
  server = await startServer(config)
  await server.full
}

async function trade(place: number, ticks: number) {
  const pool = devnet.pools[place]?.address as `0x${string}`
  const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
  await devnet.trade([{ pool, toTick: Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`))) + ticks }])
  const head = Number(await devnet.rpc<string>('eth_blockNumber', []))
  const shown = async () => expect((await readClaim('WEMB', undefined)).receipt.block?.number).toBe(head)
  await vi.waitFor(shown, { timeout: 20_000, interval: 200 })
}

async function readClaim(token: string, figure: FigureName | undefined, block?: number): Promise<SiteClaim> {
  const answer = await readSite({ site: server.url, token, figure, block, hour: undefined, timeoutMs: 60_000 })
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.claim
}

type Tree = { [field: string]: unknown }
type Change = { readonly name: string; readonly field: string; readonly apply: (root: Tree) => void }

/** Every field of a receipt that holds one value, and every list, with a change to it. */
function listChanges(node: unknown, path: readonly string[] = []): Change[] {
  const field = path.findLast((key) => !/^\d+$/.test(key)) ?? ''
  const at = (root: Tree) => path.slice(0, -1).reduce((part, key) => part[key] as Tree, root)
  const last = path.at(-1) as string
  const own = (what: string, change: (value: never) => unknown): Change => ({
    name: `${path.join('.')} ${what}`,
    field,
    apply: (root) => {
      at(root)[last] = change(at(root)[last] as never)
    },
  })
  if (Array.isArray(node)) {
    const some = node.length > 0
    return [
      ...(some ? [own('with an entry twice', (list: unknown[]) => [...list, structuredClone(list[0])])] : []),
      ...(some ? [own('without its last entry', (list: unknown[]) => list.slice(0, -1))] : []),
      ...(some ? [] : [own('with an entry more', () => [`0x${'bb'.repeat(20)}`])]),
      ...node.flatMap((entry, i) => listChanges(entry, [...path, String(i)])),
    ]
  }
  if (typeof node === 'object' && node !== null)
    return Object.entries(node).flatMap(([key, value]) => listChanges(value, [...path, key]))
  return [own('changed', changeValue)]
}

function changeValue(value: unknown): unknown {
  if (typeof value === 'number') return value - 1
  if (typeof value === 'boolean') return !value
  if (value === null) return '1'
  const text = String(value)
  return /[0-9a-f]$/.test(text) ? text.slice(0, -1) + (text.endsWith('7') ? '8' : '7') : `${text}7`
}

/** What `verify` calls some fields by: those that say which pool it is, and those from which a price or a sum follows. */
const words: Readonly<Record<string, readonly string[]>> = {
  token: ['token of the first step'],
  base: ['token of the pool'],
  quote: ["factory's pool", 'token that it is priced in'],
  baseIsToken0: ['token0'],
  decimals0: ['decimals of token0'],
  decimals1: ['decimals of token1'],
  fee: ["factory's pool"],
  pool: ["factory's pool", 'route', 'pricing'],
  number: ['hash of block'],
  priceInUsd: ['price'],
  steps: ['price'],
  pools: ['price', 'pool 0x', 'pool of the candle'],
  value: ['change24h', 'volume24h', 'candle', 'marketcap'],
}

/** What is wrong with the verdict on a receipt with a change; undefined: nothing. */
function findFault({ name, field }: Change, verdict: Verdict): string | undefined {
  const listed = [...atSitesWord.words, ...atSitesWord.oneSided, ...atSitesWord.marketCap.map((one) => `marketCap.${one}`)]
  if (listed.some((one) => name.startsWith(`${one} `) || name.startsWith(`${one}.`))) return undefined
  const named = verdict.kind === 'not-equal' ? verdict.differences.map(({ what }) => what).join('; ') : JSON.stringify(verdict)
  const isNamed = verdict.kind === 'not-equal' && [field, ...(words[field] ?? [])].some((word) => named.includes(word))
  return isNamed ? undefined : `${name}: ${verdict.kind}, ${named.slice(0, 200)}`
}

describe('a receipt of a price', () => {
  it.each(['BSLT', 'CPPR'])('of %s has no field that can be changed unnoticed', { timeout: 300_000 }, async (symbol) => {
    const claim = await readClaim(symbol, undefined)
    expect((await verify(claim)).kind).toBe('equal')
    const changes = listChanges(claim.receipt)
    expect(changes.length).toBeGreaterThan(60)
    const faults: (string | undefined)[] = []
    for (const change of changes) {
      const receipt = structuredClone(claim.receipt)
      change.apply(receipt)
      const { checksum: _, reasons: _reasons, warnings: _warnings, ...claims } = receipt
      const sealed = { ...receipt, checksum: change.field === 'checksum' ? receipt.checksum : toChecksum(claims) }
      faults.push(findFault(change, await verify({ ...claim, receipt: sealed })))
    }
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })
})

describe('a receipt of a figure', () => {
  it.each<[FigureName]>([['change24h'], ['volume24h'], ['candle'], ['marketcap']])(
    'of %s has no field that can be changed unnoticed',
    { timeout: 300_000 },
    async (figure) => {
      const claim = await readClaim('WEMB', figure)
      expect((await verify(claim)).kind).toBe('equal')
      const { price: _, ...own } = claim.figure as NonNullable<SiteClaim['figure']>
      const faults: (string | undefined)[] = []
      for (const change of listChanges(own)) {
        const altered = structuredClone(claim.figure) as NonNullable<SiteClaim['figure']>
        change.apply(altered)
        const { checksum: _sum, reasons: _reasons, price, ...claims } = altered
        const checksum = change.field === 'checksum' ? altered.checksum : toChecksum({ ...claims, price: price.checksum })
        faults.push(findFault(change, await verify({ ...claim, figure: { ...altered, checksum } })))
      }
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
    },
  )
})

// Last: it starts the server again.
describe('a receipt of an earlier block', () => {
  it('is worked out again from the index to fields that the node gives, too', { timeout: 60_000 }, async () => {
    const { block } = (await readClaim('WEMB', undefined)).receipt
    await server.close()
    await start()
    const earlier = (block?.number as number) - 1
    for (const symbol of ['WEMB', 'BSLT', 'CPPR', 'LNTN'])
      for (const figure of [undefined, 'change24h', 'volume24h'] as const)
        expect([symbol, figure, await verify(await readClaim(symbol, figure, earlier))]).toEqual([
          symbol,
          figure,
          expect.objectContaining({ kind: 'equal' }),
        ])
  })
})
