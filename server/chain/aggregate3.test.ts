import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem'
import { expect, it } from 'vitest'
import { decodeAggregate3, encodeAggregate3 } from './aggregate3.ts'

const bytes = (lengthMax: number) =>
  fc.uint8Array({ maxLength: lengthMax }).map((raw) => `0x${Buffer.from(raw).toString('hex')}` as const)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((raw) => `0x${Buffer.from(raw).toString('hex')}` as const)
const call = fc.record({ to: address, data: bytes(100) })
const answer = fc.record({ success: fc.boolean(), returnData: bytes(100) })

const toAnswer = (result: readonly { success: boolean; returnData: `0x${string}` }[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })

it('writes calls as the ABI says', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
      const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))] as const
      expect(encodeAggregate3(calls)).toBe(encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args }))
    }),
  )
})

it('reads answers as the ABI says', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 20 }), (answers) => {
      expect(decodeAggregate3(toAnswer(answers), answers.length)).toEqual(answers)
    }),
  )
})

it('reads nothing of an answer whose places all name the same long bytes', () => {
  const count = 64
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const places = word(count * 32).repeat(count)
  const long = `${word(1)}${word(64)}${word(4_096)}${'ab'.repeat(4_096)}`
  expect(decodeAggregate3(`0x${word(32)}${word(count)}${places}${long}`, count)).toBeUndefined()
})

it('reads nothing of another number of answers, of one that is cut, and of one with a word changed to nonsense', () => {
  const whole = toAnswer([
    { success: true, returnData: '0x1234' },
    { success: false, returnData: '0x' },
  ])
  expect([decodeAggregate3(whole, 1), decodeAggregate3(whole, 3), decodeAggregate3('0x', 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  for (let end = 2; end < whole.length - 64; end += 2) expect(decodeAggregate3(whole.slice(0, end) as '0x', 2)).toBeUndefined()
  // The places of the list, of each answer and of each one's bytes, the length of the list and those of the bytes, and whether one succeeded.
  for (const word of [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]) {
    const at = 2 + 64 * word
    const nonsense = `${whole.slice(0, at)}${'f'.repeat(64)}${whole.slice(at + 64)}` as const
    expect([word, decodeAggregate3(nonsense as '0x', 2)]).toEqual([word, undefined])
  }
})
