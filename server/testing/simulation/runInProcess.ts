import { spawn } from 'node:child_process'
import { findProgram, findSource } from '../findProgram.ts'
import type { Story } from './acts.ts'
import type { World } from './majority/drawWorld.ts'
import type { WorldOutcome } from './majority/playWorld.ts'
import type { BatchOptions, BatchReport, StoryFailure } from './runBatch.ts'
import type { SweepOptions } from './sweepCrashes.ts'

/** What the process is asked for. */
export type StoryOrder =
  | { readonly batch: BatchOptions }
  | { readonly sweep: SweepOptions }
  | { readonly stories: readonly Story[] }
  | { readonly worlds: readonly (World | number)[] }

type Options = Omit<BatchOptions, 'onFailure' | 'signal'> & {
  /** Modules that are loaded before everything else. */
  readonly imports?: readonly string[]
  /** The environment; absent: none. */
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
}

/** A batch in a process of its own, where nothing else needs the clock. */
export async function runInProcess({ imports = [], env = {}, signal, ...batch }: Options): Promise<BatchReport> {
  return (await order({ batch }, { imports, env, ...(signal ? { signal } : {}) })) as BatchReport
}

/** A sweep in a process of its own. */
export async function sweepInProcess(sweep: SweepOptions) {
  return (await order({ sweep }, { imports: [], env: {} })) as { readonly stories: number; readonly failures: StoryFailure[] }
}

/** Stories in a process of their own. @returns what each violated, in their order; null when it holds */
export async function playInProcess(stories: readonly Story[]): Promise<unknown[]> {
  return (await order({ stories }, { imports: [], env: {} })) as unknown[]
}

/** Worlds, or those of some seeds, in a process of their own. */
export async function playWorldsInProcess(worlds: readonly (World | number)[]): Promise<WorldOutcome[]> {
  return (await order({ worlds }, { imports: [], env: {} })) as WorldOutcome[]
}

type Process = { readonly imports: readonly string[]; readonly env: NodeJS.ProcessEnv; readonly signal?: AbortSignal }

async function order(wanted: StoryOrder, { imports, env, signal }: Process): Promise<unknown> {
  // What is loaded before may change modules as they are loaded.
  const program = (imports.length > 0 ? findSource : findProgram)('testing/simulation/storyProcess')
  const args = [...imports.flatMap((path) => ['--import', path]), program.script, JSON.stringify(wanted)]
  const child = spawn(process.execPath, args, {
    env: { ...program.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-10_000)
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`the stories ended with code ${code}:\n${err}`)
  return JSON.parse(out)
}
