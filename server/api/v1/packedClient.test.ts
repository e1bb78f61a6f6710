import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha } from '../../testing/market.ts'
import { alphaSnapshot, servePriceApi, toBlock } from '../../testing/priceApi.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'chainboard-packed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = (file: string, args: readonly string[], cwd = folder) => execFileSync(file, args, { cwd, encoding: 'utf8' })

beforeAll(() => {
  run('npm', ['pack', '--silent', '--pack-destination', folder], join(root, 'sdk'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  run('npm', ['i', '--prefix', folder, './chainboard-sdk-0.1.0.tgz', '--offline', ...quiet])
})

/** What a program says, a line at a time. */
async function* linesOf(program: ChildProcess): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const piece of program.stdout ?? []) {
    text += piece
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}

it('the packed client is installed elsewhere and does what its README says', async () => {
  const api = await servePriceApi(createFakeKeyGate({ good: { limit: 1_000 } }))
  const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code)
  const code = examples
    .join('\n')
    .replace('https://board.example', api.url)
    .replace('cb_…', 'good')
    .replace('0x4200000000000000000000000000000000000006', alpha)
  writeFileSync(join(folder, 'example.js'), code)
  const program = spawn(process.execPath, ['example.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = linesOf(program)
  const next = async () => (await lines.next()).value
  try {
    expect(await next()).toBe('25 999')
    expect(await next()).toBe('ready 6')
    api.move({ cursor: toBlock(78), rolledBack: false })
    api.put(alphaSnapshot({ usd: 26, block: 78 }, toBlock(78)))
    expect(await next()).toBe('price 6')
    api.move({ cursor: toBlock(77), rolledBack: true })
    expect(await next()).toBe('retracted 5')
  } finally {
    program.kill()
    await api.app.close()
  }
})

it('the packed client has types for programs that have no others', () => {
  const program = `import { createPriceClient, PriceApiError, type Price, type PriceEvent } from '@chainboard/sdk'
const prices = createPriceClient({ baseUrl: 'https://board.example' })
export const first: Price | undefined = (await prices.listPrices()).data[0]
// @ts-expect-error A price is a number.
export const text: string | undefined = first?.usdPrice
export const events: AsyncGenerator<PriceEvent, never> = prices.streamPrices({ addresses: ['0x1'] })
export const codeOf = (error: unknown) => (error instanceof PriceApiError && error.code === 'NO_ANSWER' ? error.cause : 0)
`
  writeFileSync(join(folder, 'program.ts'), program)
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], skipLibCheck: false }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  for (const modules of [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]) {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...modules }, files: ['program.ts'] }),
    )
    expect(run(process.execPath, [tsc, '-p', '.'])).toBe('')
  }
})
