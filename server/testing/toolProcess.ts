import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { compileCache } from './compileCache.ts'

export type ToolProcess = {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** All it wrote, both streams. */
  output(): string
}

/** Runs one of the commands beside `main.ts` as npm does. @param command its file without the ending, `backup` */
export function startTool(command: string, args: readonly string[], env: Readonly<Record<string, string>>): ToolProcess {
  const script = resolve(import.meta.dirname, `../${command}.ts`)
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, ended, output: () => text }
}
