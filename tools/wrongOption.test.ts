import { parseArgs } from 'node:util'
import { expect, it } from 'vitest'
import { isWrongOption, WrongOption } from './wrongOption.ts'

function catchError(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

it('knows what somebody typed wrong from what went wrong', () => {
  const options = { runs: { type: 'string' } } as const
  expect(isWrongOption(new WrongOption('--runs: found x, expected a number'))).toBe(true)
  expect(isWrongOption(catchError(() => parseArgs({ args: ['--rounds'], options })))).toBe(true)
  expect(isWrongOption(catchError(() => parseArgs({ args: ['--runs'], options })))).toBe(true)
  expect(isWrongOption(new Error('the node ended'))).toBe(false)
  expect(isWrongOption(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe(false)
  expect(isWrongOption('ERR_PARSE_ARGS')).toBe(false)
})
