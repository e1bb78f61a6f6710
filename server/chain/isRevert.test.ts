import { Failure } from '@chainboard/core'
import { RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { isRevert } from './isRevert.ts'
import { toFailure } from './toFailure.ts'

const said = (code: number, message: string) => new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } })

it.each([
  [3, 'no', true],
  [-32_000, 'execution reverted: not now', true],
  [-32_015, 'VM execution error: Bad instruction, invalid opcode', true],
  [-32_000, 'out of gas', true],
  [-32_003, 'EVM error OutOfGas', true],
  [-32_003, 'EVM error InvalidFEOpcode', true],
  [-32_003, 'EVM error InvalidOperandOOG', true],
  [-32_003, 'EVM error OpcodeNotFound', true],
  [-32_000, 'gas uint64 overflow', true],
  [-32_000, 'invalid opcode: INVALID', true],
  [-32_000, 'invalid jump destination', true],
  [-32_000, 'stack limit reached 1024 (1023)', true],
  [-32_000, 'header not found', false],
  [-32_000, 'missing trie node', false],
  [-32_601, 'the method does not exist', false],
])('the answer %i "%s" is taken for the same as it comes and as a failure', (code, message, expected) => {
  expect(isRevert(said(code, message))).toBe(expected)
  expect(isRevert(toFailure(said(code, message)))).toBe(expected)
})

it('silence is no revert, whatever its words', () => {
  expect(isRevert(new Failure('rpc-unavailable', 'reverted'))).toBe(false)
})
