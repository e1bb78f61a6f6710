import { RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { hideOwnWords } from './hideOwnWords.ts'
import { toFailure } from './toFailure.ts'

const url = 'https://alice:pass%20word@node.example/archive/v3/my-team-word?apikey=k3y-of-ours'
const said = (message: string) => new RpcRequestError({ body: {}, url, error: { code: -32_000, message } })

it.each([
  ['project my-team-word is suspended', 'project … is suspended'],
  ['k3y-of-ours: unknown key', '…: unknown key'],
  ['no such user: alice, pass word', 'no such user: alice, …'],
  ['execution of v3 reverted', 'execution of v3 reverted'],
  ['this needs an archive node', 'this needs an archive node'],
])('the words of a node are told without the parts of its URL: %s', (message, wanted) => {
  const error = hideOwnWords(url)(said(message)) as RpcRequestError
  expect(error.details).toBe(wanted)
  expect(toFailure(error).message).toBe(wanted)
  expect(error.message).not.toMatch(/my-team-word is|k3y-of-ours:|pass word/)
})

it('what is no error is left as it is', () => {
  expect(hideOwnWords(url)('my-team-word')).toBe('my-team-word')
})
