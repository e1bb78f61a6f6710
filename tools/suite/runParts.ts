import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { judgePart, type PartEnd } from './judgePart.ts'
import { keepTail } from './keepTail.ts'
import { type Part, reportPath, withReport } from './parts.ts'
import { readCounts } from './readCounts.ts'
import type { PartResult } from './summary.ts'

type Limits = {
  /** After this long a part is ended and has failed. */
  readonly partMsMax: number
  /** Time for a part to end after an interrupt, its server and its browsers with it. Then it is killed. */
  readonly graceMs: number
}

const defaultLimits: Limits = { partMsMax: 30 * 60_000, graceMs: 30_000 }
/** Time for what a part started to end after it, a database above all. */
const leftoverMsMax = 5_000
const lookMs = 50

/**
 * Runs every part, one after the other, also after one that failed. Checks that follow each other run at once.
 * @param interrupted ends the part that runs and skips the others: each of them has failed
 * @returns one result for each part, in their order
 */
export async function runParts(
  parts: readonly Part[],
  interrupted: AbortSignal,
  limits: Limits = defaultLimits,
): Promise<PartResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-test-'))
  const results: PartResult[] = []
  try {
    for (const group of groupChecks(parts)) {
      console.log(`\n== ${group.map(({ name }) => name).join(', ')}`)
      const run = async (part: Part) => {
        const startMs = performance.now()
        const end = await runPart(part, reportPath(folder, part), interrupted, limits)
        return { name: part.name, seconds: (performance.now() - startMs) / 1_000, ...judgePart(part.kind, end) }
      }
      results.push(...(await Promise.all(group.map(run))))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return results
}

/** Tests have the machine for themselves, as they wait for conditions. */
function groupChecks(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind === 'check' && last?.[0]?.kind === 'check') last.push(part)
    else groups.push([part])
  }
  return groups
}

async function runPart(part: Part, report: string, interrupted: AbortSignal, limits: Limits): Promise<PartEnd> {
  if (interrupted.aborted) return { exitCode: null, signal: null, cause: 'not run', counts: undefined, lastLines: [] }
  const { args, env } = withReport(part, report)
  // A process group of its own: a Ctrl-C reaches the runner alone, which hands it on once.
  const child = spawn(part.command, args, {
    env: { ...process.env, ...env },
    detached: true,
    // Tests show on the terminal how far they are.
    stdio: ['ignore', part.kind === 'check' ? 'pipe' : 'inherit', 'pipe'],
  })
  const tail = keepTail([child.stdout, child.stderr])
  let cause: string | undefined
  let killer: NodeJS.Timeout | undefined
  const end = (why: string) => {
    cause ??= why
    killGroup(child, 'SIGINT')
    killer ??= setTimeout(() => killGroup(child, 'SIGKILL'), limits.graceMs)
  }
  const onInterrupt = () => end('interrupted')
  const late = setTimeout(() => end(`no end within ${limits.partMsMax / 1_000} s`), limits.partMsMax)
  interrupted.addEventListener('abort', onInterrupt, { once: true })
  const { exitCode, signal, error } = await untilExit(child)
  for (const timer of [late, killer]) clearTimeout(timer)
  interrupted.removeEventListener('abort', onInterrupt)
  await endLeftovers(child)
  const counts = part.kind === 'check' ? undefined : readCounts(part, report)
  return { exitCode, signal, cause: cause ?? error, counts, lastLines: await tail() }
}

function untilExit(child: ChildProcess): Promise<Pick<PartEnd, 'exitCode' | 'signal'> & { readonly error?: string }> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ exitCode: null, signal: null, error: `cannot be run: ${message}` }))
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

async function endLeftovers(child: ChildProcess): Promise<void> {
  const deadline = performance.now() + leftoverMsMax
  while (killGroup(child, 0)) {
    if (performance.now() > deadline) return void killGroup(child, 'SIGKILL')
    await pause(lookMs)
  }
}

/** Signals what a part started and did not put in a group of its own. @returns whether anything of it is left */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
