import { findErrorCode } from './errorCode.ts'
import { Failure } from './failure.ts'
import { fieldsOf } from './fields.ts'
import { hideKeyLike } from './hideKeys.ts'

const textMax = 300
const causesMax = 5
const framesMax = 15
const detailMax = 1_000

/** An error as a line of the log has it: without a URL or anything else that may be a key, and of a bounded length. */
export type LoggedError = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly detail?: string
  /** What led to it, the nearest first. */
  readonly causes?: readonly string[]
  /** The places that led to it, a line each; empty for a failure of the world, which is no bug. */
  readonly stack: string
}

/** Libraries put the URL that was asked, and all that was asked for, into their errors: a key stands in the one, and the other has no end. */
export function toLoggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: toLogLine(String(error)), stack: '' }
  const causes = listCauses(error)
  const code = findErrorCode(error)
  const detail =
    error instanceof Failure && Object.keys(error.detail).length > 0 ? toLogLine(toJson(error.detail), detailMax) : undefined
  return {
    type: error.name,
    message: toLogLine(error.message),
    ...(code !== undefined && { code }),
    ...(detail !== undefined && { detail }),
    ...(causes.length > 0 && { causes }),
    stack: error instanceof Failure ? '' : listFrames(error),
  }
}

/** A text of somebody else's on one line, without what may be a key. @param max characters of it */
export function toLogLine(text: string, max = textMax): string {
  const line = hideKeyLike(text).replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}

function listCauses(error: Error): string[] {
  const causes: string[] = []
  let next: unknown = causeOf(error)
  while (next !== undefined && causes.length < causesMax) {
    causes.push(next instanceof Error ? toLogLine(`${next.name}: ${next.message}`) : toLogLine(String(next)))
    next = causeOf(next)
  }
  return causes
}

/** Of several at once, as of addresses that were tried in turn, the first. */
function causeOf(error: unknown): unknown {
  const { cause, errors } = fieldsOf(error)
  return cause ?? (Array.isArray(errors) ? errors[0] : undefined)
}

function listFrames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim())
    .join('\n')
}

function toJson(detail: unknown): string {
  try {
    return JSON.stringify(detail, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  } catch {
    return 'not to be written'
  }
}
