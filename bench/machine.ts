import { readFileSync, statfsSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'

/** What figures depend on besides the code. */
export type Machine = {
  /** One line of a list each. */
  readonly words: readonly string[]
  /** Whether other work was running that the numbers share the machine with. */
  readonly busy: boolean
}

/** Numbers of the kernel's file system types that temporary folders lie on. */
const fileSystems: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  16914836: 'tmpfs: in memory, syncing costs nothing',
  2035054128: 'overlayfs',
}
/** Load per core from which the machine was not quiet. */
const busyLoad = 0.25

/**
 * The machine, as it is before a measurement.
 * @param load average number of programs that want a processor, over 1, 5 and 15 minutes; the machine's own when absent
 */
export function describeMachine(load: readonly number[] = loadavg()): Machine {
  const cores = cpus()
  const folder = fileSystems[statfsSync(tmpdir()).type] ?? 'of another kind'
  return {
    words: [
      `CPU: ${cores[0]?.model.trim() || 'unknown'}, ${cores.length} cores seen by the system`,
      `Memory: ${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
      `System: ${readSystemName()}, kernel ${release()}`,
      `Data folders: in the temporary folder, file system ${folder}`,
      `Node ${process.version}`,
      `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Load average at the start: ${load.map((value) => value.toFixed(2)).join(', ')} (1, 5, 15 minutes)`,
    ],
    busy: (load[0] ?? 0) > busyLoad * cores.length,
  }
}

function readSystemName(): string {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? type()
  } catch {
    return type()
  }
}
