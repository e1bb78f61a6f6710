// Processes and folders of a benchmark. None is left when it ends, in whatever way.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NotMeasured } from './notMeasured.ts'
import { within } from './waiting.ts'

/** A process that this benchmark has started. */
export type Child = {
  readonly process: ChildProcess
  readonly pid: number
  /** Settles with how it ended and its last words. */
  readonly gone: Promise<string>
  /** Asks it to end, and ends its whole process group when it does not. May be called twice. */
  stop(): Promise<void>
}

const wordsLengthMax = 4_000
const graceMs = 8_000
const live = new Set<Child>()
const folders = new Set<string>()
/** Those of the folders that are file systems of their own. */
const disks = new Set<string>()

// The last resort, when the process ends without `endEverything`.
process.on('exit', () => {
  for (const { process: child } of live) killGroup(child, 'SIGKILL')
  for (const folder of folders) removeFolder(folder)
})

/** Takes charge of a process that leads its own process group (`detached`), with its output in pipes. */
export function adopt(name: string, child: ChildProcess, stopSignal: NodeJS.Signals = 'SIGTERM'): Child {
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      words = (words + chunk).slice(-wordsLengthMax)
    })
  }
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} cannot be run: ${error.message}`))
    child.once('close', (code, signal) => resolve(`${name} ended with ${signal ?? code}\n${words.trim()}`))
  })
  const stop = async () => {
    const timer = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs)
    if (isRunning(child)) child.kill(stopSignal)
    await gone
    clearTimeout(timer)
    killGroup(child, 'SIGKILL')
  }
  const adopted = { process: child, pid: child.pid ?? 0, gone, stop }
  live.add(adopted)
  void gone.then(() => live.delete(adopted))
  return adopted
}

/** Starts a program of ours as the leader of its own process group, with a channel for messages. */
export function forkChild(name: string, program: string, args: readonly string[] = []): Child {
  return adopt(name, fork(program, args, { detached: true, silent: true }))
}

/** A program and what it is started with. */
export type Command = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
}

/** Starts a program as the leader of its own process group: a Ctrl-C reaches only the benchmark. */
export function start({ command, args, ...options }: Command, stopSignal?: NodeJS.Signals): Child {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  return adopt(command, child, stopSignal)
}

/** Runs a program to its end. @returns what it wrote to stdout @throws NotMeasured with its last words */
export async function runToEnd(command: Command, { msMax, signal }: { msMax: number; signal: AbortSignal }): Promise<string> {
  const child = start(command)
  let output = ''
  child.process.stdout?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  try {
    const words = await within(child.gone, { what: command.command, msMax, signal })
    if (child.process.exitCode !== 0) throw new NotMeasured(words)
    return output
  } finally {
    await child.stop()
  }
}

/** A new folder that goes with the benchmark. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `chainboard-bench-${name}-`))
  folders.add(folder)
  return folder
}

/** A new folder with a small file system of its own, in memory, that goes with the benchmark. @throws Error where it may not be mounted */
export function makeDisk(name: string, megabytes: number): string {
  const folder = makeFolder(name)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    removeFolder(folder)
    throw error
  }
  disks.add(folder)
  return folder
}

/** Removes a folder that `makeFolder` or `makeDisk` made, before the benchmark ends. */
export function removeFolder(folder: string): void {
  if (disks.delete(folder)) execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** Ends every process still running and removes every folder still there. */
export async function endEverything(): Promise<void> {
  await Promise.all([...live].map((child) => child.stop()))
  for (const folder of folders) removeFolder(folder)
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
  }
}
