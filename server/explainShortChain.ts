import type { FollowStatus } from './indexer/followChain.ts'
import type { SourceLog } from './market/pollSource.ts'

const lookEveryMs = 1_000

/**
 * Gives a status its reason where the chain does not have the index's first block: reading cannot even begin. The first time goes to
 * the log, whether or not anybody asks for the status.
 */
export function explainShortChain(
  readStatus: () => FollowStatus,
  {
    startBlock,
    log,
    nowMs,
  }: { readonly startBlock: number; readonly log: Pick<SourceLog, 'warn'>; readonly nowMs: () => number },
): { status(): FollowStatus; stop(): void } {
  const sinceMs = nowMs()
  const status = () => {
    const found = readStatus()
    const { head, cursor, trouble } = found
    if (trouble || cursor || head === undefined || head >= startBlock) return found
    const text = `The chain ends at block ${head}, before dex.startBlock ${startBlock}, where the index begins: wait, or correct it`
    return { ...found, trouble: { kind: 'node' as const, text, sinceMs } }
  }
  const looking = setInterval(() => {
    const { head, trouble } = status()
    if (head === undefined) return
    clearInterval(looking)
    if (trouble && head < startBlock) log.warn({ head, startBlock }, trouble.text)
  }, lookEveryMs).unref()
  return { status, stop: () => clearInterval(looking) }
}
