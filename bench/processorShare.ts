import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Lets a process that leads a session of its own (`detached`) come after the others where processors are few. Linux shares them among
 * sessions before it looks at the priorities inside one, so that the session has to be told, too.
 * @param nice 1 to 19, as of `nice`
 */
export function giveWay(pid: number, nice: number): void {
  setPriority(pid, nice)
  const group = `/proc/${pid}/autogroup`
  // Without groups of sessions the priority of the process counts.
  if (existsSync(group)) writeFileSync(group, String(nice))
}

/** Keeps all threads of a process, and what it starts from now on, on one processor, counted from 0. @throws Error without `taskset` */
export function pinTo(pid: number, processor: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)], { stdio: 'pipe' })
}
