import { afterEach, expect, test, vi } from 'vitest'
import { createNodeCall } from './callNode.ts'

const publicUrl = 'https://node.example/v1'

/** A network on which some addresses answer. `undefined` is no answer at all. */
function openNetwork(answers: (url: string) => unknown): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.replace(/_=.*/, '_='))
    const answer = answers(url)
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return typeof answer === 'number' ? new Response('no', { status: answer }) : Response.json(answer)
  })
  return asked
}

afterEach(() => vi.unstubAllGlobals())

test('a public node is asked itself', async () => {
  const asked = openNetwork(() => ({ result: '0x7a69' }))
  expect(await createNodeCall(publicUrl)('eth_chainId', [])).toBe('0x7a69')
  expect(asked).toEqual([publicUrl])
})

test('where it cannot be reached, this server asks its own', async () => {
  const asked = openNetwork((url) => (url === publicUrl ? undefined : { result: '0x1' }))
  expect(await createNodeCall(publicUrl)('eth_blockNumber', [])).toBe('0x1')
  expect(asked).toEqual([publicUrl, '/rpc?_='])
})

test('what a node says no to is not asked of another one', async () => {
  const asked = openNetwork(() => ({ error: { code: 3, message: 'execution reverted', data: '0xd93c0665' } }))
  await expect(createNodeCall(publicUrl)('eth_call', [])).rejects.toMatchObject({ code: 3, data: '0xd93c0665' })
  expect(asked).toEqual([publicUrl])
})

test('no answer of anybody is a failure, and so is one that is no JSON', async () => {
  openNetwork(() => undefined)
  await expect(createNodeCall('/rpc')('eth_call', [])).rejects.toMatchObject({ code: -32_603, message: 'eth_call: no answer' })
  openNetwork(() => 502)
  await expect(createNodeCall('/rpc')('eth_call', [])).rejects.toMatchObject({ code: -32_603, message: 'status 502' })
})

test('a server that offers no node is no answer either', async () => {
  openNetwork((url) => (url === publicUrl ? undefined : 404))
  await expect(createNodeCall(publicUrl)('eth_call', [])).rejects.toMatchObject({ message: 'eth_call: no answer' })
})

test('what is not there is an answer, too', async () => {
  openNetwork(() => ({ result: null }))
  expect(await createNodeCall('/rpc')('eth_getTransactionReceipt', [])).toBeNull()
})
