import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserFlags, browserPath } from '../../tools/browser.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { makeFolder, removeFolder, runToEnd, start } from '../children.ts'
import { npmEnv } from '../inheritedEnv.ts'
import { poll } from '../waiting.ts'

/** A telephone over a slow mobile network, or a computer: Lighthouse's own settings for both. */
export type Device = 'desktop' | 'mobile'

/** Scores are of 100, times in milliseconds. `complaints`: what keeps a category other than performance below 100. */
export type PageRun = {
  readonly device: Device
  readonly scores: Readonly<Record<Category, number>>
  readonly firstPaintMs: number
  readonly largestPaintMs: number
  readonly layoutShift: number
  readonly blockedMs: number
  readonly complaints: readonly string[]
}

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Category = (typeof categories)[number]

const here = import.meta.dirname
const installMsMax = 300_000
const browserMsMax = 30_000
const runMsMax = 180_000
const triesMax = 3
const askEveryMs = 50

/** Installs what package.json here names, unless it is there. @returns its version @throws Error saying why it cannot be installed */
export async function installLighthouse(signal: AbortSignal): Promise<string> {
  if (!existsSync(browserPath)) throw new Error(`Lighthouse needs a browser, and there is none at ${browserPath}`)
  const wanted = readVersion('package.json', ({ dependencies }) => dependencies?.['lighthouse'])
  if (readVersion('node_modules/lighthouse/package.json', ({ version }) => version) === wanted) return wanted ?? ''
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await runToEnd({ command: 'npm', args, cwd: here, env: npmEnv() }, { msMax: installMsMax, signal })
  return wanted ?? ''
}

type Package = { readonly version?: string; readonly dependencies?: Readonly<Record<string, string>> }

function readVersion(file: string, read: (found: Package) => string | undefined): string | undefined {
  const path = join(here, file)
  return existsSync(path) ? read(JSON.parse(readFileSync(path, 'utf8')) as Package) : undefined
}

/**
 * Opens the page in a new browser and judges it. On a machine with much other work the browser's recording fails at times:
 * then it is taken again.
 * @throws Error when Lighthouse could not, `triesMax` times
 */
export async function runLighthouse(url: string, device: Device, signal: AbortSignal): Promise<PageRun> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await judgeOnce(url, device, signal)
    } catch (error) {
      if (signal.aborted || tries === triesMax) throw error
      console.warn(`${device}, once more: ${(error as Error).message.trim().split('\n').at(-1)}`)
    }
  }
}

async function judgeOnce(url: string, device: Device, signal: AbortSignal): Promise<PageRun> {
  const [folder, port] = [makeFolder('chromium'), await findFreePort()]
  const args = [...browserFlags, `--remote-debugging-port=${port}`, `--user-data-dir=${folder}`, 'about:blank']
  const browser = start({ command: browserPath, args })
  try {
    const isUp = async () => (await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined))?.ok || undefined
    await poll(isUp, { what: 'the browser', everyMs: askEveryMs, msMax: browserMsMax, signal, gone: browser.gone })
    const out = join(folder, 'report.json')
    const lighthouse = { command: process.execPath, args: toArguments({ url, device, port, out }) }
    await runToEnd(lighthouse, { msMax: runMsMax, signal })
    return toPageRun(device, JSON.parse(readFileSync(out, 'utf8')) as Report)
  } finally {
    await browser.stop()
    removeFolder(folder)
  }
}

type Judging = { readonly url: string; readonly device: Device; readonly port: number; readonly out: string }

function toArguments({ url, device, port, out }: Judging): string[] {
  return [
    join(here, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--hostname=127.0.0.1',
    `--port=${port}`,
    '--output=json',
    `--output-path=${out}`,
    '--quiet',
    '--no-enable-error-reporting',
    '--disable-full-page-screenshot',
    `--only-categories=${categories.join(',')}`,
    ...(device === 'desktop' ? ['--preset=desktop'] : []),
  ]
}

type Audit = {
  readonly title: string
  readonly score: number | null
  readonly numericValue?: number
  readonly scoreDisplayMode: string
}

/** What we read of Lighthouse's report. */
type Report = {
  readonly runtimeError?: { readonly message: string }
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: { readonly id: string; readonly weight: number }[] }>
  >
  readonly audits: Readonly<Record<string, Audit>>
}

function toPageRun(device: Device, { runtimeError, categories: found, audits }: Report): PageRun {
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`)
  const figureOf = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const complaints = categories
    .filter((category) => category !== 'performance')
    .flatMap((category) =>
      found[category].auditRefs
        .filter(({ id, weight }) => weight > 0 && isFailed(audits[id]))
        .map(({ id }) => `${category}: ${audits[id]?.title} (${id})`),
    )
  return {
    device,
    scores: Object.fromEntries(categories.map((category) => [category, (found[category].score ?? 0) * 100])) as PageRun['scores'],
    firstPaintMs: figureOf('first-contentful-paint'),
    largestPaintMs: figureOf('largest-contentful-paint'),
    layoutShift: figureOf('cumulative-layout-shift'),
    blockedMs: figureOf('total-blocking-time'),
    complaints,
  }
}

function isFailed(audit: Audit | undefined): boolean {
  return audit?.score !== undefined && audit.score !== null && audit.score < 1
}
