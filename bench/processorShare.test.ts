import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { giveWay, pinTo } from './processorShare.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that leads a session of its own and does nothing. */
function startIdle(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore' })
  children.push(child)
  return child.pid as number
}

it('lets a process come last, also where sessions share the processor first', () => {
  const pid = startIdle()
  giveWay(pid, 10)
  expect(getPriority(pid)).toBe(10)
  const group = `/proc/${pid}/autogroup`
  // Systems without groups of sessions have no such file.
  if (existsSync(group)) expect(readFileSync(group, 'utf8')).toMatch(/ nice 10$/m)
})

it.runIf(existsSync('/usr/bin/taskset'))('keeps a process on one processor', () => {
  const pid = startIdle()
  pinTo(pid, 0)
  expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Cpus_allowed_list:\s*0$/m)
})
