import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { type Server, startServer } from '../../startServer.ts'
import { networkFile, openMarket } from '../../testing/market.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { testConfig } from '../../testing/testConfig.ts'

// What `redocly lint` and `spectral lint` ask of a description, beyond what the contract test holds answers against.

type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
}

describe('the description of the API', () => {
  const stores = createTempStores()
  let server: Server
  let document: {
    readonly [name: string]: unknown
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    const network = { ...networkFile, contact: { email: 'api@board.example', chatUrl: 'https://chat.example/board' } }
    server = await startServer(testConfig({ network, store: await stores.locate('sqlite') }), chain)
    document = (await server.app.inject('/api/openapi.json')).json()
  })
  afterAll(() => server.close())
  const listOperations = () => Object.values(document.paths).flatMap((each) => Object.values(each))

  it('says where the site is and whom to ask', () => {
    expect(document['servers']).toEqual([{ url: 'https://board.example', description: 'Testboard' }])
    expect(document['info']).toMatchObject({
      contact: { name: 'Testboard', url: 'https://chat.example/board', email: 'api@board.example' },
    })
  })

  it('says of every operation what it is, in a group that is described', () => {
    const groups = (document['tags'] as { name: string; description: string }[]).filter(({ description }) => description)
    const names = groups.map(({ name }) => name)
    const undescribed = listOperations().filter(
      ({ summary, description, tags = [] }) => !summary || !description || tags.length !== 1 || !names.includes(tags[0] ?? ''),
    )
    expect(undescribed.map(({ operationId }) => operationId)).toEqual([])
    expect(listOperations().length).toBeGreaterThan(40)
  })

  it('says who may call each operation', () => {
    const of = (id: string) => listOperations().find(({ operationId }) => operationId === id)?.security
    expect(listOperations().flatMap(({ operationId, security }) => (security ? [] : [operationId]))).toEqual([])
    expect(of('getPrice')).toEqual([{ apiKey: [] }, {}])
    expect(of('getUser')).toEqual([{ session: [] }])
    expect(of('verifyPin')).toEqual([])
    expect(document['components']).toMatchObject({ securitySchemes: { session: { in: 'cookie', name: '__Host-session' } } })
  })

  it('says what is in every list', () => {
    expect([...listBareArrays(document)]).toEqual([])
  })
})

/** Schemas of lists that do not say of what, by their place. */
function* listBareArrays(value: unknown, place = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { type, items } = value as { type?: unknown; items?: unknown }
  if (type === 'array' && items === undefined) yield place
  for (const [name, part] of Object.entries(value)) yield* listBareArrays(part, `${place}/${name}`)
}
