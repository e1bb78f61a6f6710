import { readFileSync } from 'node:fs'

/** Memory that a process holds now, and the most it ever held, in bytes. NaN where /proc does not have it. @throws Error without the process */
export function readMemory(pid: number): { readonly nowBytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1_024
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }
}
