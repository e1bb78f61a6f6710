import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { solcSettings, solcVersion } from './solcSettings.ts'
import { ToolchainError } from './toolchainError.ts'

const home = resolve(import.meta.dirname, '..', '.tsbuild')
const cli = resolve(import.meta.dirname, '..', 'node_modules', 'hardhat', 'dist', 'src', 'cli.js')
const parts = ['TokenBoost.sol', 'hardhat.config.ts', 'solcSettings.ts', 'package.json', 'test', 'snapshots']

/** How a run ended. */
export type HardhatRun = { readonly passed: boolean; readonly output: string }

/**
 * Runs Hardhat in a project's folder, with nothing of the caller's environment: it neither asks nor tells anybody anything.
 * @param msMax after which it is ended, and has not passed
 */
export function runHardhat(folder: string, args: readonly string[], { msMax, signal }: { msMax: number; signal?: AbortSignal }) {
  return new Promise<HardhatRun>((settle) => {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      env: { HOME: join(home, 'hardhat-home'), HARDHAT_DISABLE_TELEMETRY: 'true', CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: msMax,
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : {}),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('error', (error) => settle({ passed: false, output: String(error) }))
    child.once('close', (code) => settle({ passed: code === 0, output }))
  })
}

/** This folder, where the contract and its tests stand. */
export const contractsFolder = import.meta.dirname

/**
 * A copy of the contract and its tests to be changed, out of git's sight. One of the same name is replaced.
 * @param optimized otherwise it compiles in half the time, into what does the same for more gas
 */
export function copyProject(name: string, source: string, { optimized = true } = {}): string {
  const folder = join(home, name, 'contracts')
  rmSync(join(home, name), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const part of parts) {
    const from = join(import.meta.dirname, part)
    if (existsSync(from)) cpSync(from, join(folder, part), { recursive: true })
  }
  writeFileSync(join(folder, 'TokenBoost.sol'), source)
  if (!optimized) writeFileSync(join(folder, 'solcSettings.ts'), settingsText({ ...solcSettings, optimizer: { enabled: false } }))
  return folder
}

function settingsText(settings: object): string {
  return `export const solcVersion = '${solcVersion}'\nexport const solcSettings = ${JSON.stringify(settings)}\n`
}

/** The lines of TokenBoost.sol that a run with `--coverage` counted, and those of them that nothing reached. @throws ToolchainError without a report */
export function readCoverage(folder: string): { readonly counted: number; readonly missed: readonly number[] } {
  const text = readFileSync(join(folder, 'coverage', 'lcov.info'), 'utf8')
  const report = text.split('end_of_record').find((part) => part.includes('SF:TokenBoost.sol'))
  if (!report) throw new ToolchainError(`${relative(home, folder)} has no coverage of TokenBoost.sol`)
  const lines = [...report.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [Number(line), Number(count)] as const)
  return { counted: lines.length, missed: lines.flatMap(([line, count]) => (count === 0 ? [line] : [])) }
}
