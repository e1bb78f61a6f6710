import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { toHelmetOptions } from '../api/helmetOptions.ts'
import { packedFromBytes } from '../api/packing.ts'
import { answerProblems } from '../api/problem.ts'
import { webRoutes } from '../api/webRoutes.ts'
import { offChain, type Quote } from '../market/source.ts'
import { mergeSnapshot, toKept } from '../market/takeSnapshot.ts'
import { toTokenList } from '../market/tokenList.ts'
import { alpha, listed, networkFile } from './market.ts'

const nowSeconds = 1_700_000_000
const e18 = 10n ** 18n
/** ALPHA costs 25 dollars after 20 a day before, and there are a million of it; the others have no price. */
function takeSnapshot(priceUsd: bigint) {
  const quote: Quote = {
    ...offChain,
    source: 'cmcListed',
    usdE18: priceUsd * e18,
    observedAtSeconds: nowSeconds,
    confidence: 1,
    reasons: [],
    dayAgoUsdE18: 20n * e18,
    weekAgoUsdE18: undefined,
    volume24hUsdE18: 0n,
    fdmcUsdE18: undefined,
    marketCapUsdE18: undefined,
  }
  const answers = new Map([[alpha, { kind: 'quoted' as const, quote, displayPool: undefined }]])
  const kept = toKept('cmcListed', { atBlock: undefined, answers }, nowSeconds)
  return mergeSnapshot([kept], toTokenList(listed, []), { nowSeconds, chain: undefined })
}

/** The built page with files beside it, in a folder of one test file that goes with it. `market.priceUsd`: what ALPHA costs. */
export function createBuiltSite() {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-web-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const market = { priceUsd: 25n }
  for (const folder of ['web/assets', 'logos']) mkdirSync(join(dir, folder), { recursive: true })
  const page = '<html><head><!-- head --><title>Built</title><!-- /head --></head><body>board</body></html>'
  writeFileSync(join(dir, 'web/index.html'), page)
  writeFileSync(join(dir, 'web/robots.txt'), 'User-agent: *\n')
  writeFileSync(join(dir, 'web/preview.png'), 'a picture')
  writeFileSync(join(dir, 'web/price-client.mjs'), 'export {}\n')
  writeFileSync(join(dir, 'web/price-client.d.mts'), 'export {}\n')
  writeFileSync(join(dir, 'web/assets/main-1a2b.js'), 'let a = 1\n')
  writeFileSync(join(dir, 'web/assets/main-1a2b.js.br'), 'packed by brotli')
  writeFileSync(join(dir, 'web/assets/main-1a2b.js.gz'), 'packed by gzip')
  writeFileSync(join(dir, 'logos/alpha.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const open = async (brand: object = {}): Promise<FastifyInstance> => {
    const network = { ...networkFile, brand: { ...networkFile.brand, ...brand } }
    const deps = {
      network,
      networkName: 'test',
      origin: 'https://board.example',
      publicOrigin: 'https://board.example',
      snapshot: () => takeSnapshot(market.priceUsd),
      nowSeconds: () => nowSeconds,
    }
    const app = fastify()
    // As in createApp.ts: what a file may do is allowed beside it, not instead.
    await app.register(helmet, toHelmetOptions({ network: networkFile, publicOrigin: undefined }))
    await app.register(compress, { threshold: packedFromBytes, encodings: ['br', 'gzip'] })
    answerProblems(app)
    await app.register(webRoutes(deps, { webDir: join(dir, 'web'), logosDir: join(dir, 'logos') }))
    return app
  }
  return { dir, market, open }
}
