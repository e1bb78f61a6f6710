import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { BatchOptions, BatchReport } from './runBatch.ts'

type Options = Omit<BatchOptions, 'onFailure' | 'signal'> & {
  /** Modules that are loaded before everything else. */
  readonly imports?: readonly string[]
  /** The environment; absent: none. */
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
}

/** A batch in a process of its own. */
export async function runInProcess({ imports = [], env = {}, signal, ...options }: Options): Promise<BatchReport> {
  const script = join(import.meta.dirname, 'storyProcess.ts')
  const args = [...imports.flatMap((path) => ['--import', path]), script, JSON.stringify(options)]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-10_000)
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`the stories ended with code ${code}:\n${err}`)
  return JSON.parse(out) as BatchReport
}
