import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { browserFlags, browserPath } from '../../tools/browser.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { readJson } from '../checkShape.ts'
import { makeFolder, removeFolder, runToEnd, start } from '../children.ts'
import { npmEnv } from '../inheritedEnv.ts'
import { NotMeasured } from '../notMeasured.ts'
import { poll } from '../waiting.ts'

/** Lighthouse's own settings: `mobile` is a phone on a slow mobile network. */
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

/** What Lighthouse scores. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Category = (typeof categories)[number]

const here = import.meta.dirname
const installMsMax = 300_000
const browserMsMax = 30_000
const runMsMax = 180_000
const triesMax = 3
const askEveryMs = 50

/** Installs what package.json here names, unless it is there. @returns its version @throws NotMeasured without a browser, or with what npm says */
export async function installLighthouse(signal: AbortSignal): Promise<string> {
  if (!existsSync(browserPath)) throw new NotMeasured(`Lighthouse needs a browser, and there is none at ${browserPath}`)
  const wanted = readVersion('package.json', ({ dependencies }) => dependencies?.['lighthouse'])
  if (readVersion('node_modules/lighthouse/package.json', ({ version }) => version) === wanted) return wanted ?? ''
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await runToEnd({ command: 'npm', args, cwd: here, env: npmEnv() }, { msMax: installMsMax, signal })
  return wanted ?? ''
}

const packageFile = Type.Object({
  version: Type.Optional(Type.String()),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
})

function readVersion(file: string, read: (found: Static<typeof packageFile>) => string | undefined): string | undefined {
  const path = join(here, file)
  return existsSync(path) ? read(readJson(packageFile, path)) : undefined
}

/**
 * Opens the page in a new browser and judges it. On a busy machine the browser's recording fails at times: then it is repeated.
 * @throws NotMeasured when Lighthouse failed `triesMax` times
 */
export async function runLighthouse(url: string, device: Device, signal: AbortSignal): Promise<PageRun> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await judgeOnce(url, device, signal)
    } catch (error) {
      if (signal.aborted || tries === triesMax) throw error
      console.warn(`${device}, trying again: ${messageOf(error).trim().split('\n').at(-1)}`)
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
    return toPageRun(device, readJson(lighthouseReport, out))
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

const audit = Type.Object({
  title: Type.String(),
  score: Type.Union([Type.Number(), Type.Null()]),
  numericValue: Type.Optional(Type.Number()),
})
const scored = Type.Object({
  score: Type.Union([Type.Number(), Type.Null()]),
  auditRefs: Type.Array(Type.Object({ id: Type.String(), weight: Type.Number() })),
})

/** What we read of Lighthouse's report. */
export const lighthouseReport = Type.Object({
  runtimeError: Type.Optional(Type.Object({ message: Type.String() })),
  categories: Type.Object({ performance: scored, accessibility: scored, 'best-practices': scored, seo: scored }),
  audits: Type.Record(Type.String(), audit),
})

/** The figures of one report, and the failed audits that count. @throws NotMeasured with Lighthouse's own error */
export function toPageRun(device: Device, { runtimeError, categories: found, audits }: Static<typeof lighthouseReport>): PageRun {
  if (runtimeError) throw new NotMeasured(`Lighthouse: ${runtimeError.message}`)
  const figureOf = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const scoreOf = (category: Category) => (found[category].score ?? 0) * 100
  const complaints = categories
    .filter((category) => category !== 'performance')
    .flatMap((category) =>
      found[category].auditRefs
        .filter(({ id, weight }) => weight > 0 && isFailed(audits[id]))
        .map(({ id }) => `${category}: ${audits[id]?.title} (${id})`),
    )
  return {
    device,
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    firstPaintMs: figureOf('first-contentful-paint'),
    largestPaintMs: figureOf('largest-contentful-paint'),
    layoutShift: figureOf('cumulative-layout-shift'),
    blockedMs: figureOf('total-blocking-time'),
    complaints,
  }
}

function isFailed(found: Static<typeof audit> | undefined): boolean {
  return found !== undefined && found.score !== null && found.score < 1
}
