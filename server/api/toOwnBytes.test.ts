import { expect, it } from 'vitest'
import { toOwnBytes } from './toOwnBytes.ts'

it('keeps the bytes of a text and no others', () => {
  const bytes = toOwnBytes('{"name":"Ölplattform"}')
  expect(bytes.toString()).toBe('{"name":"Ölplattform"}')
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([23, 23])
})
