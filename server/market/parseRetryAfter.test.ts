import { expect, it } from 'vitest'
import { parseRetryAfter } from './parseRetryAfter.ts'

const nowMs = Date.parse('2026-11-20T22:00:00Z')
const dayMs = 86_400_000

it.each([
  ['7', 7_000],
  [' 7 ', 7_000],
  ['99999999', dayMs],
  ['9'.repeat(400), dayMs],
  ['Fri, 20 Nov 2026 22:01:30 GMT', 90_000],
  ['Fri, 20 Nov 2026 21:00:00 GMT', 0],
  ['Sun, 20 Nov 2186 22:00:00 GMT', dayMs],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('a server that asks for %s is left alone for %s ms', (header, waitMs) => expect(parseRetryAfter(header, nowMs)).toBe(waitMs))
