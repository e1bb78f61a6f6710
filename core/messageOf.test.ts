import { expect, it } from 'vitest'
import { messageOf } from './messageOf.ts'

it('is the message of an error, and the text of anything else that was thrown', () => {
  expect(messageOf(new TypeError('no such pool'))).toBe('no such pool')
  expect(messageOf('gone')).toBe('gone')
  expect(messageOf(undefined)).toBe('undefined')
})
