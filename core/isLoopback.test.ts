import { expect, it } from 'vitest'
import { isLoopback } from './isLoopback.ts'

it.each([
  '127.0.0.1',
  '127.1.2.3',
  'localhost',
  'LOCALHOST',
  'board.localhost',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
])('reaches only its own machine: %s', (name) => expect(isLoopback(name)).toBe(true))

it.each([
  ...['0.0.0.0', '::', '192.168.1.2', '10.0.0.1', '[2001:db8::1]', 'board.example'],
  // Names that only begin or end like one.
  ...['127.0.0.1.evil.example', 'localhost.evil.example', 'evillocalhost', '127.0.0.1.', '1127.0.0.1', ''],
])('may be reached from elsewhere: %s', (name) => expect(isLoopback(name)).toBe(false))
