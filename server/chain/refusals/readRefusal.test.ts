import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRefusal } from './readRefusal.ts'

/** As public nodes answered, each with where it was seen. `suggests`: what a person reads in it. */
type Recorded = {
  readonly kind: string
  readonly provider: string
  readonly httpStatus: number | null
  readonly code: number | null
  readonly message: string
  readonly data?: unknown
  readonly suggests?: {
    readonly blocks?: number
    readonly from?: string
    readonly to?: string
    readonly retryAfterSeconds?: number
  }
}

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[]

const read = ({ httpStatus, code, message, data }: Recorded) =>
  readRefusal({ httpStatus: httpStatus ?? undefined, code: code ?? undefined, message, data })

describe('217 refusals of public nodes', () => {
  it('are read as what they mean', () => {
    expect(recorded).toHaveLength(217)
    expect(recorded.filter((each) => read(each).kind !== each.kind)).toEqual([])
  })

  it('name the width and the wait that a person reads in them, and no other', () => {
    const suggested = recorded.map(({ suggests }) => {
      const { blocks, from, to, retryAfterSeconds } = suggests ?? {}
      const offered = from !== undefined && to !== undefined ? Number(to) - Number(from) + 1 : blocks
      return { blocks: offered, seconds: retryAfterSeconds }
    })
    const found = recorded.map((each) => {
      const { blocks, retryAfterMs } = read(each)
      return {
        blocks,
        seconds:
          retryAfterMs === undefined
            ? undefined
            : Math.floor(retryAfterMs / (retryAfterMs < 10 ? 1 : 10)) / (retryAfterMs < 10 ? 1_000 : 100),
      }
    })
    expect(found).toEqual(suggested)
  })
})

describe('words that nobody has recorded', () => {
  it.each([
    ['Log query spans 9001 blocks, but the block range may not be larger than 512', 'range-too-wide'],
    ['distance must be less than 3000', 'range-too-wide'],
    ['eth_getLogs: requested range exceeds what this plan allows', 'range-too-wide'],
    ['block range request limit: 5 requests per second', 'rate-limit'],
    ['exceeded the quota', 'quota-exhausted'],
    ['context deadline exceeded', 'timeout'],
    ['execution timeout', 'timeout'],
    ['Slow down please', 'internal'],
    ['', 'internal'],
    ['¯\\_(ツ)_/¯', 'internal'],
  ])('%s', (message, kind) => {
    expect(readRefusal({ message }).kind).toBe(kind)
  })

  it('take the status where the words say nothing', () => {
    expect(readRefusal({ message: '', httpStatus: 413 }).kind).toBe('answer-too-large')
    expect(readRefusal({ message: '<html>Forbidden by the firewall</html>', httpStatus: 403 }).kind).toBe('auth')
  })

  it('offer no width out of an inverted or endless range, and no wait of nothing', () => {
    const offer = (from: string, to: string) =>
      readRefusal({ message: `too many logs. Try with this block range [${from}, ${to}].` })
    expect(offer('0x20', '0x10')).toEqual({ kind: 'too-many-results' })
    expect(offer('0x0', '0xffffffffffffffffff')).toEqual({ kind: 'too-many-results' })
    expect(readRefusal({ message: 'rate limited, try again in 0ms' })).toEqual({ kind: 'rate-limit' })
  })

  it('are read at once, however long', () => {
    const startMs = performance.now()
    readRefusal({ message: `${'block range exceeds max '.repeat(40_000)}x`, data: 'a'.repeat(1_000_000) })
    expect(performance.now() - startMs).toBeLessThan(500)
  })
})
