import { type Address, Failure } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { listed, usdc } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const wallet: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** Written with its checksum, as EIP-55 has it. */
const token = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const staking: Address = `0x${'c2'.repeat(20)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

let server: Server
let app: FastifyInstance
let nodeIsDown = false
beforeAll(async () => {
  const chain = new FakeChain()
  chain.methods.set('eth_getBalance', () => {
    if (nodeIsDown) throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    return '0x1'
  })
  chain.methods.set('eth_call', (params) => {
    if (nodeIsDown) throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    const [{ to }] = params as [{ to: Address }]
    return { [usdc]: word(0n), [token.toLowerCase()]: word(2_500_000_000n), [staking]: word(50n) }[to] ?? '0x'
  })
  const entries = [
    ...listed,
    { ...(listed[0] as (typeof listed)[number]), address: token.toLowerCase(), stakingContract: staking },
  ]
  const tokenList = toTokenList(entries, [])
  server = await startServer(testConfig({ store: await stores.locate('sqlite'), tokenList }), chain)
  app = server.app
})
afterAll(() => server.close())

const get = async (url: string, remoteAddress = '192.0.2.1') => {
  const answer = await app.inject({ url, remoteAddress })
  return { status: answer.statusCode, body: answer.json() as unknown }
}

describe('GET /api/wallets/{address}/balance', () => {
  it('answers whole tokens with checksummed addresses, whatever the spelling of the wallet', async () => {
    const body = {
      block: 0,
      tokens: [
        { tokenAddress: 'native', balance: '0.000000000000000001' },
        { tokenAddress: token, balance: '2500' },
      ],
    }
    expect(await get(`/api/wallets/${wallet}/balance?_=1`)).toEqual({ status: 200, body })
    expect(await get(`/api/wallets/0x${wallet.slice(2).toUpperCase()}/balance`)).toEqual({ status: 200, body })
  })

  it('refuses what is no address, saying what it wants', async () => {
    expect(await get('/api/wallets/0x12/balance')).toEqual({
      status: 400,
      body: { error: 'params address: found "0x12", expected an address: 0x and 40 hexadecimal digits' },
    })
  })

  it('answers 502 with the reason when the chain cannot be read', async () => {
    nodeIsDown = true
    const other = `0x${'66'.repeat(20)}`
    expect(await get(`/api/wallets/${other}/balance`)).toEqual({
      status: 502,
      body: { error: `The balances of ${other} cannot be read: The node is not responding` },
    })
    nodeIsDown = false
    expect(await get(`/api/wallets/${other}/balance`)).toMatchObject({ status: 200 })
  })

  it('answers a client 300 times a minute, and others beside it', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 301; i += 1) statuses.push((await get(`/api/wallets/${wallet}/balance`, '192.0.2.77')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(300)
    expect(statuses.at(-1)).toBe(429)
    expect((await get(`/api/wallets/${wallet}/balance`, '192.0.2.78')).status).toBe(200)
  })
})

describe('GET /api/staking/{stakingContract}/{walletAddress}', () => {
  it('answers the amount in whole tokens, with the token named or without', async () => {
    const answer = { status: 200, body: { totalAmount: '0.00005' } }
    expect(await get(`/api/staking/${staking}/${wallet}?_=1`)).toEqual(answer)
    expect(await get(`/api/staking/0x${staking.slice(2).toUpperCase()}/${wallet}?token=${token}`)).toEqual(answer)
  })

  it('knows only contracts of the list', async () => {
    expect(await get(`/api/staking/${wallet}/${wallet}`)).toEqual({
      status: 404,
      body: { error: 'No listed token is staked at 0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    })
  })

  it.each([
    [`0x12/${wallet}`, 'params stakingContract: found "0x12", expected an address: 0x and 40 hexadecimal digits'],
    [`${staking}/me`, 'params walletAddress: found "me", expected an address: 0x and 40 hexadecimal digits'],
    [`${staking}/${wallet}?token=1`, 'querystring token: found "1", expected an address: 0x and 40 hexadecimal digits'],
    [`${staking}/${wallet}?pool=1`, 'querystring: found pool, expected no such field'],
  ])('refuses %s', async (path, error) => {
    expect(await get(`/api/staking/${path}`)).toEqual({ status: 400, body: { error } })
  })

  it('answers 502 with the reason when the chain cannot be read', async () => {
    nodeIsDown = true
    const other = `0x${'66'.repeat(20)}`
    expect(await get(`/api/staking/${staking}/${other}`)).toEqual({
      status: 502,
      body: { error: `The stake of ${other} cannot be read: The node is not responding` },
    })
    nodeIsDown = false
  })
})
