import { type ChildProcess, fork } from 'node:child_process'
import { findProgram } from './findProgram.ts'

export type ServerProcess = {
  readonly child: ChildProcess
  /** Resolves with the URL when it listens; rejects when the process ends before. */
  readonly listening: Promise<string>
  /** Resolves with the URL when the index has caught up with the chain; rejects when the process ends before. */
  readonly full: Promise<string>
  readonly ended: Promise<number | null>
  /** All it wrote, both streams. */
  output(): string
}

/** Starts the server as `npm start` does, as a process of its own. No balancer is before it: it ends without a notice to one. */
export function startServerProcess(env: Readonly<Record<string, string>>): ServerProcess {
  const main = findProgram('main')
  const child = fork(main.script, {
    env: { PORT: '0', DRAIN_SECONDS: '0', ...main.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const heard = (word: 'listening' | 'full') => {
    const said = new Promise<string>((done, fail) => {
      child.on('message', (message: { listening?: string; full?: string }) => message[word] && done(message[word]))
      void ended.then(() => fail(new Error(`the server ended: ${text}`)))
    })
    said.catch(() => undefined)
    return said
  }
  return { child, listening: heard('listening'), full: heard('full'), ended, output: () => text }
}
