import { expect, it } from 'vitest'
import { toMessage } from './toMessage.ts'

it('is the message of an error, and the text of anything else that was thrown', () => {
  expect(toMessage(new TypeError('no such pool'))).toBe('no such pool')
  expect(toMessage('gone')).toBe('gone')
  expect(toMessage(undefined)).toBe('undefined')
})
