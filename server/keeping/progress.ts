/** How far a backup or a restore is. */
export type Progress = { readonly table: string; readonly rows: number; readonly rowsTotal: number }
export type OnProgress = (progress: Progress) => void

const everyMs = 2_000

/** Reports progress every 2 s. @param say takes one line */
export function createProgressLog(what: string, say: (line: string) => void, nowMs: () => number): OnProgress {
  let loggedAtMs = nowMs()
  return ({ table, rows, rowsTotal }) => {
    const now = nowMs()
    if (now - loggedAtMs < everyMs) return
    loggedAtMs = now
    const percent = Math.floor((rows * 100) / Math.max(rowsTotal, 1))
    say(`${what}: ${percent} %, ${rows} of ${rowsTotal} rows, in table ${table}`)
  }
}
