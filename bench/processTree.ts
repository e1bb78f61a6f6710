import { readdirSync, readFileSync } from 'node:fs'
import { readMemory } from './readMemory.ts'

/** What a process and everything it started has used. */
type TreeUse = { readonly cpuSeconds: number; readonly rssBytes: number; readonly peakRssBytes: number }

/** What is noted of a process and its children. */
export type Watch = {
  /** Ends the watch. CPU seconds since it began, and the most memory the tree held at once; undefined without /proc. */
  end(): { readonly cpuSeconds: number; readonly peakRssBytes: number } | undefined
}

/** Linux tells CPU time to programs in this unit, whatever the kernel counts in. */
const ticksPerSecond = 100
const sampleMs = 100

/** Watches a process and its children from now on. Sampled; a single process's own peak is the kernel's exact one. */
export function watchTree(pid: number): Watch {
  const first = readTree(pid)
  let peakRssBytes = 0
  let last = first
  const look = () => {
    last = readTree(pid) ?? last
    peakRssBytes = Math.max(peakRssBytes, last?.rssBytes ?? 0, last?.peakRssBytes ?? 0)
  }
  const timer = setInterval(look, sampleMs)
  return {
    end() {
      clearInterval(timer)
      look()
      return first && last ? { cpuSeconds: last.cpuSeconds - first.cpuSeconds, peakRssBytes } : undefined
    },
  }
}

/** `cpuSeconds` holds children that have ended, too; `peakRssBytes` is that of the root alone. */
function readTree(pid: number): TreeUse | undefined {
  try {
    const own = readProcess(pid)
    const children = listChildren(pid).flatMap((child) => readTree(child) ?? [])
    return {
      cpuSeconds: children.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, own.cpuSeconds),
      rssBytes: children.reduce((sum, { rssBytes }) => sum + rssBytes, own.rssBytes),
      peakRssBytes: own.peakRssBytes,
    }
  } catch {
    return undefined
  }
}

function readProcess(pid: number): TreeUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // utime, stime, and those of children that have ended: fields 14 to 17 of the line, of which two are cut off.
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0)
  const { nowBytes, peakBytes } = readMemory(pid)
  return { cpuSeconds: ticks / ticksPerSecond, rssBytes: nowBytes || 0, peakRssBytes: peakBytes || 0 }
}

function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
}
