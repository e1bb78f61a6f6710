import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { checkShape, fetchJson, parseJson } from './checkShape.ts'
import { NotMeasured } from './notMeasured.ts'

const schema = Type.Object({ swaps: Type.Array(Type.Integer()) })

it('lets pass what has the shape, fields that nobody asked about included', () => {
  expect(parseJson(schema, '{"swaps":[1,2],"more":true}', 'the answer')).toEqual({ swaps: [1, 2], more: true })
})

it('names the place of the first difference', () => {
  expect(() => checkShape(schema, { swaps: [1, 'two'] }, 'the answer')).toThrow(
    new NotMeasured('the answer /swaps/1 must be integer'),
  )
  expect(() => checkShape(schema, null, 'the answer')).toThrow(new NotMeasured('the answer as a whole must be object'))
})

it('says what a server answered instead', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/right' ? 200 : 503).end(request.url === '/right' ? '{"swaps":[]}' : 'busy')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await fetchJson(schema, `${url}/right`)).toEqual({ swaps: [] })
  await expect(fetchJson(schema, `${url}/wrong`)).rejects.toThrow(new NotMeasured(`${url}/wrong answered 503: busy`))
})
