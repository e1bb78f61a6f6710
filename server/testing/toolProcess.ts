import { type ChildProcess, spawn } from 'node:child_process'
import { findProgram } from './findProgram.ts'

export type ToolProcess = {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** All it wrote, both streams. */
  output(): string
}

/** Runs the server's `main`, or a command as npm does. @param command its file in `server/cli/` without the ending, `backup` */
export function startTool(command: string, args: readonly string[], env: Readonly<Record<string, string>>): ToolProcess {
  const tool = findProgram(command === 'main' ? command : `cli/${command}`)
  const child = spawn(process.execPath, [tool.script, ...args], {
    env: { ...tool.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, ended, output: () => text }
}
