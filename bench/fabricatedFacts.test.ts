import { expect, it } from 'vitest'
import { requestWithSender } from './fabricatedFacts.ts'

const node = { request: async (method: string, params: unknown) => ({ asked: method, params }) }

it('names one sender for every transaction, and refuses to simulate', async () => {
  const { from, ...rest } = Object(await requestWithSender(node, 'eth_getTransactionByHash', ['0x12']))
  expect(from).toMatch(/^0x[0-9a-f]{40}$/)
  expect(rest).toEqual({ hash: '0x12' })
  await expect(requestWithSender(node, 'eth_call', [{ data: '0x' }, 'latest'])).rejects.toThrow('execution reverted')
})

it('leaves everything else to the node', async () => {
  const call = [{ to: '0x01', data: '0x' }, 'latest']
  expect(await requestWithSender(node, 'eth_call', call)).toEqual({ asked: 'eth_call', params: call })
  expect(await requestWithSender(node, 'eth_blockNumber', undefined)).toEqual({ asked: 'eth_blockNumber', params: undefined })
})
