import { expect, it } from 'vitest'
import { readTick } from './readTick.ts'

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

it.each([60, 0, -276_325])('reads the second word, with its sign: %i', async (tick) => {
  const asked: unknown[] = []
  const rpc = async <T>(method: string, params?: readonly unknown[]) => {
    asked.push([method, params])
    return `0x${word(2n ** 96n)}${word(BigInt(tick))}${word(1n)}` as T
  }
  expect(await readTick({ rpc }, '0xaa')).toBe(tick)
  expect(asked).toEqual([['eth_call', [{ to: '0xaa', data: '0x3850c7bd' }, 'latest']]])
})
