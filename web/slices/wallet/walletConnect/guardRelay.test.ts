import { expect, it } from 'vitest'
import { readRelayMessage } from './guardRelay.ts'

const message = { jsonrpc: '2.0', id: 7, method: 'irn_subscription', params: { id: 's', data: { topic: 't', message: 'm' } } }

it.each([message, { jsonrpc: '2.0', id: '7', result: true }, { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'no' } }])(
  'lets %j through',
  (payload) => expect(readRelayMessage(JSON.stringify(payload))).toEqual(payload),
)

it.each([
  ['no text', new Uint8Array(8)],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a text', '"irn_subscription"'],
  ['a list', '[]'],
  ['no id', '{"result":true}'],
  ['no answer', '{"id":7}'],
  ['an error without words', '{"id":7,"error":null}'],
  ['no params', '{"id":7,"method":"irn_subscription"}'],
  ['no topic', '{"id":7,"method":"irn_subscription","params":{"data":{"message":"m"}}}'],
  ['a message that is no text', '{"id":7,"method":"irn_subscription","params":{"data":{"topic":"t","message":{}}}}'],
  ['more than a million characters', JSON.stringify({ id: 7, result: 'x'.repeat(1_000_000) })],
])('stops %s', (_, sent) => expect(readRelayMessage(sent)).toBeUndefined())
