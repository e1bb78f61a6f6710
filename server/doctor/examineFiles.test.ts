import { createServer } from 'node:http'
import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { createDoctorRuns, failsOf, inList } from '../testing/doctorRuns.ts'
import type { Strangeness } from '../testing/strangeNode.ts'

const { devnet, strange, linesFor } = createDoctorRuns()

// As networks/devnet.json has them.
const factory = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707'
const wrapped = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const nobody = `0x${'9'.repeat(40)}`

const dex = (change: Partial<NetworkFile['dex']>) => (network: NetworkFile) => ({ dex: { ...network.dex, ...change } })

describe('a network file that', () => {
  it('names an address without a contract as the factory', async () => {
    expect(await linesFor({ network: dex({ factory: nobody }) })).toContain(
      "FAIL  dex.factory: found no contract at this address, expected a Uniswap v3 factory. Look up the exchange's v3 factory on this chain",
    )
  })

  it('names a token as the factory', async () => {
    expect(await linesFor({ network: dex({ factory: usdc }) })).toContain(
      "FAIL  dex.factory: found a contract that allows no fee, expected a Uniswap v3 factory. Look up the exchange's v3 factory on this chain",
    )
  })

  it('begins the index after the first pool', async () => {
    const lines = failsOf(await linesFor({ network: dex({ startBlock: 100 }) }))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^FAIL {2}dex\.startBlock: found 100, but a pool was created at block (\d+), expected at most \1\. Write \1: pools created before /,
    )
  })

  it('gives the US dollar other decimals', async () => {
    expect(failsOf(await linesFor({ network: () => ({ usdc: { address: usdc, decimals: 18 } }) }))).toEqual([
      'FAIL  usdc.decimals: found 18, but 6 on the chain, expected 6. Write 6: amounts are wrong by a factor of 10^12 otherwise',
    ])
  })

  it('gives the wrapped coin another symbol', async () => {
    expect(await linesFor({ network: () => ({ wrappedNative: { address: wrapped, symbol: 'WETH' } }) })).toContain(
      'warn  wrappedNative.symbol: found "WETH", but "WEMB" on the chain, expected the same. Check that it is the token you mean; tokens may be renamed',
    )
  })

  it('names a stable coin that is not there', async () => {
    expect(failsOf(await linesFor({ network: () => ({ otherStables: [nobody] }) }))).toEqual([
      `FAIL  otherStables.0: found no contract at ${nobody}, expected a token. Look up the token's address on this chain`,
    ])
  })

  it('names an exchange without pages of its own, which is no trouble', async () => {
    const lines = await linesFor({
      network: ({ dex: { name, factory, startBlock } }) => ({ dex: { name, factory, startBlock } }),
    })
    expect(lines).toEqual(
      expect.arrayContaining([
        'ok    dex.swapUrl: none: there is no such link',
        'ok    dex.poolUrl: none: there is no such link',
      ]),
    )
  })

  it('lets readers follow links that lead nowhere', async () => {
    expect(
      await linesFor({
        network: dex({ swapUrl: 'https://{address}.example', poolUrl: 'http://dex.example/{pool}?at={address}' }),
      }),
    ).toEqual(
      expect.arrayContaining([
        'FAIL  dex.swapUrl: found https://{address}.example, expected a URL with {address} after the host. Open one such page and put the placeholder in its place',
        'FAIL  dex.poolUrl: found the unknown placeholder {pool}, expected a URL with {address} after the host. Write {address}',
      ]),
    )
  })

  it.each<[string, Strangeness]>([
    ['before the call', { headers: { 'access-control-allow-origin': '*' } }],
    ['in its answer', { preflight: { 'access-control-allow-origin': '*' } }],
  ])('sends browsers to a node that does not let them in %s', async (when, strangeness) => {
    const publicRpcUrl = await strange(strangeness)
    const lines = await linesFor({ network: ({ chain }) => ({ chain: { ...chain, rpcUrls: [devnet().rpcUrl], publicRpcUrl } }) })
    expect(lines).toContain(
      `FAIL  chain.publicRpcUrl (${new URL(publicRpcUrl).host}): found no access-control-allow-origin ${when}, expected one that lets other sites in. Leave it out: then browsers call the node through this server`,
    )
  })

  it('sends browsers to a node that lets them in', async () => {
    const open = { 'access-control-allow-origin': '*' }
    const publicRpcUrl = await strange({ headers: open, preflight: open })
    const lines = await linesFor({ network: ({ chain }) => ({ chain: { ...chain, rpcUrls: [devnet().rpcUrl], publicRpcUrl } }) })
    expect(lines).toContain(`ok    chain.publicRpcUrl (${new URL(publicRpcUrl).host}): answers browsers of other sites`)
  })
})

describe('a boost contract that', () => {
  const boost = (change: Partial<NonNullable<NetworkFile['boost']>>) => (network: NetworkFile) => ({
    boost: { address: '', startBlock: 1, ...network.boost, ...change },
  })
  const boostLines = async (network?: (network: NetworkFile) => Partial<NetworkFile>) =>
    (await linesFor(network ? { network } : {})).filter((line) => line.slice(6).startsWith('boost'))
  const sell = 'expected the boost contract. Deploy it with npm run deploy-boost, or leave "boost" out'
  const send = async (data: string) => {
    const { accounts, contracts, rpc } = devnet()
    await rpc('eth_sendTransaction', [{ from: accounts[0]?.address, to: contracts.boost, data, gas: '0x7a120' }])
  }

  it('is there tells its terms, and what is wrong with it while it cannot be paid', async () => {
    const terms = 'ok    boost.address: a boost costs 25 US dollars and lasts 24 hours'
    const start = 'ok    boost.startBlock: no event came before 1'
    expect(await boostLines()).toEqual([terms, start])
    await send('0x8456cb59')
    await send(`0x430884cf${usdc.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`)
    const lines = await boostLines()
    await devnet().reorg(2)
    expect(lines).toEqual([
      terms,
      'FAIL  boost.address: found a contract that does not take usdc.address, expected one that does. Have the owner call setPaymentToken with it: until then nobody can boost on the page',
      'warn  boost.address: found paused, expected a contract that takes payments. Have the owner call unpause: after 7 paused days payers may withdraw what is unused',
      start,
    ])
  })

  it('is none, or another one, is not taken for one', async () => {
    expect(await boostLines(boost({ address: nobody }))).toEqual([
      `FAIL  boost.address: found no contract at this address, ${sell}`,
    ])
    expect(await boostLines(boost({ address: usdc }))).toEqual([`FAIL  boost.address: found another contract, ${sell}`])
    expect(await boostLines(() => ({ boost: undefined as never }))).toEqual([])
  })

  it('was there before the ledger begins, is missing payments', async () => {
    expect(failsOf(await boostLines(boost({ startBlock: 2 })))).toEqual([
      "FAIL  boost.startBlock: found 2, and the contract's first event at block 1, expected at most 1. Write 1: otherwise the server misses earlier payments",
    ])
  })
})

describe('a token list that', () => {
  it('gives a token other decimals', async () => {
    expect(failsOf(await linesFor({ tokens: [{ ...inList('BSLT'), decimals: 18 }] }))).toEqual([
      'FAIL  assets.json.0 (BSLT).decimals: found 18, but 8 on the chain, expected 8. Write 8: amounts are wrong by a factor of 10^10 otherwise',
    ])
  })

  it('names an address without a contract', async () => {
    const { priceInfo: _, ...entry } = inList('BSLT')
    const token = { ...entry, address: nobody, id: nobody as Address }
    expect(failsOf(await linesFor({ tokens: [token] }))).toEqual([
      `FAIL  assets.json.0 (BSLT): found no contract at ${nobody}, expected a token. Look up the token's address on this chain`,
    ])
  })

  it('names a pool that is none, one of another token, or another fee', async () => {
    const token = inList('BSLT')
    const priceInfo = token.priceInfo as NonNullable<ListedToken['priceInfo']>
    const withPool = (change: object) => ({ ...token, priceInfo: { ...priceInfo, ...change } })
    const wembPool = inList('WEMB').priceInfo?.poolAddress as string
    const lines = await linesFor({
      tokens: [withPool({ poolAddress: usdc }), withPool({ poolAddress: wembPool }), withPool({ feeTier: 77 })],
    })
    expect(failsOf(lines)).toEqual([
      `FAIL  assets.json.0 (BSLT).priceInfo.poolAddress: found no pool at ${usdc}, expected a pool of dex.factory. Look it up on the exchange, or leave priceInfo out: then the server uses the deepest pool`,
      expect.stringContaining("Name a pool of this token's, or leave priceInfo out"),
      'FAIL  assets.json.2 (BSLT).priceInfo.feeTier: found 77, expected 3000. Write 3000',
    ])
  })

  it('names a pool of another exchange', async () => {
    const other = `0x${'fa'.repeat(20)}`
    const factoryCall = '0xc45a0155'
    const url = await strange({
      change: ({ method, params }, result) =>
        method === 'eth_call' && (params[0] as { data: string }).data === factoryCall
          ? `0x${'0'.repeat(24)}${other.slice(2)}`
          : result,
    })
    expect(failsOf(await linesFor({ rpcUrls: [url], tokens: [inList('BSLT')] }))).toEqual([
      `FAIL  assets.json.0 (BSLT).priceInfo.poolAddress: found a pool of the factory ${other}, expected one of ${factory.toLowerCase()}. It belongs to another exchange: name a pool of this one, or leave priceInfo out`,
    ])
  })
})

describe('what wallets are read with', () => {
  it('is well on the devnet', async () => {
    expect(await linesFor()).toEqual(
      expect.arrayContaining([
        'ok    chain.multicall: a contract is at the usual address',
        'ok    assets.json: 2 of 2 staking contracts report what a wallet has staked',
      ]),
    )
  })

  it('wants a multicall where the file says', async () => {
    const network = ({ chain }: NetworkFile) => ({ chain: { ...chain, rpcUrls: [devnet().rpcUrl], multicall: nobody } })
    expect(await linesFor({ network })).toContain(
      `warn  chain.multicall: found no contract at ${nobody}, expected Multicall3. Name the chain's Multicall3: without it the server makes one call per token and wallet`,
    )
  })

  it('wants staking contracts that answer the way the list says', async () => {
    const token = inList('CNDR')
    const { stakingAdapter: _, ...asBalance } = token
    const tokens = [
      asBalance,
      { ...token, stakingContract: nobody },
      { ...token, stakingAdapter: 'userInfo', stakingPool: 2 } as const,
    ]
    const todo = 'Look up the contract and its call: until then the portfolio shows no stakes from it'
    expect(failsOf(await linesFor({ tokens }))).toEqual([
      `FAIL  assets.json.0 (CNDR).stakingContract: found a contract that does not support balanceOf(address), expected an amount. ${todo}`,
      `FAIL  assets.json.1 (CNDR).stakingContract: found no contract at ${nobody}, expected an amount. ${todo}`,
      `FAIL  assets.json.2 (CNDR).stakingContract: found a contract that does not support userInfo(uint256,address), expected an amount. ${todo}`,
    ])
  })
})

describe('sources of prices', () => {
  const withSources =
    (sources: NetworkFile['prices']['sources']) =>
    ({ prices }: NetworkFile) => ({ prices: { ...prices, sources } })

  it('from CoinMarketCap want a key', async () => {
    const network = withSources(['cmcListed', 'index'])
    expect(await linesFor({ network })).toContain(
      'warn  CMC_API_KEY: found nothing, expected a key, as prices.sources names cmcListed. Set it, or remove them from prices.sources: without it the server uses the next source',
    )
  })

  it('from CoinMarketCap with a key cost no more than the credits of a month', async () => {
    // One credit every 224 s: 31 days of 86,400 s hold 11,957 of them and the first.
    const network = ({ prices }: NetworkFile) => ({
      prices: { ...prices, sources: ['cmcListed' as const, 'index' as const] },
      cmc: { network: 'ember', creditsPerMonth: 12_000 },
    })
    const tokens = [{ ...inList('BSLT'), cmcUrl: 'https://coinmarketcap.com/currencies/basalt/' }, inList('WEMB')]
    expect(await linesFor({ network, tokens, examined: { sourceEnv: { CMC_API_KEY: 'key' } } })).toContain(
      'ok    CMC_API_KEY: is set, for cmcListed: up to 11958 of 12000 credits a month; coins 1, pairs 0',
    )
  })

  it.each<[string, number, object | string, string]>([
    [
      'belongs to another exchange',
      200,
      { data: { _meta: { block: { number: 5 } }, factories: [{ id: nobody }] } },
      `FAIL  SUBGRAPH_URL (SUB): found the factory ${nobody}, expected ${factory.toLowerCase()}. It belongs to another exchange`,
    ],
    [
      'is far behind',
      200,
      { data: { _meta: { block: { number: -1_000 } }, factories: [{ id: factory.toLowerCase() }] } },
      'blocks behind, expected at most 500. Its prices are that old',
    ],
    [
      'has indexing errors',
      200,
      { data: { _meta: { block: { number: 5 }, hasIndexingErrors: true }, factories: [{ id: factory.toLowerCase() }] } },
      'warn  SUBGRAPH_URL (SUB): found indexing errors at block 5,',
    ],
    [
      'answers errors with HTTP 200',
      200,
      { errors: [{ message: 'subgraph not found' }] },
      'warn  SUBGRAPH_URL (SUB): found "subgraph not found", expected a Uniswap v3 subgraph of this exchange. While it is down, the server uses the next source',
    ],
    ['answers HTTP 502', 502, '', 'warn  SUBGRAPH_URL (SUB): found HTTP 502,'],
    [
      'is well',
      200,
      { data: { _meta: { block: { number: 1_000_000 } }, factories: [{ id: factory.toLowerCase() }] } },
      'ok    SUBGRAPH_URL (SUB): is at block 1000000, 0 behind',
    ],
  ])('from a subgraph that %s', async (_name, status, answer, line) => {
    const server = createServer((_, response) =>
      response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/api/my-secret-key/subgraphs`
    try {
      const lines = await linesFor({
        network: withSources(['subgraph', 'index']),
        examined: { sourceEnv: { SUBGRAPH_URL: url } },
      })
      expect(lines.join('\n').replaceAll(new URL(url).host, 'SUB')).toContain(line)
      expect(lines.join()).not.toContain('secret')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
