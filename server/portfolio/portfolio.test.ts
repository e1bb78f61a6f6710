import { type Address, type Hex, rawToDecimal } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  http,
  keccak256,
  numberToHex,
  type PublicClient,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toRecallingChain } from '../chain/recallingChain.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import type { ListedToken } from '../market/tokenList.ts'
import { openPortfolio, openStakeChain } from '../openPortfolio.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'

// As devnet/README.md has them.
const demo: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const other: Address = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

const config = readConfig({ NETWORK: 'devnet' })
let devnet: Devnet
let client: PublicClient
beforeAll(async () => {
  devnet = await startShortDevnet()
  client = createPublicClient({ transport: http(devnet.rpcUrl) })
  for (const [address, code] of Object.entries(strangeContracts)) await devnet.rpc('anvil_setCode', [address, code])
  // One unit less or more of each, so that the last decimal counts.
  for (const symbol of ['USDC', 'BSLT', 'CNDR']) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, 1n] })
    await devnet.rpc('eth_sendTransactionSync', [{ from: demo, to: inList(symbol).address, data }])
  }
  await devnet.rpc('anvil_setBalance', [demo, numberToHex(41n * 10n ** 18n + 1n)])
  await devnet.mine()
})
afterAll(() => devnet.stop())

const at = (byte: string): Address => `0x${byte.repeat(20)}`
const [reverting, silent, long, huge, echo, echo3] = [at('81'), at('82'), at('83'), at('84'), at('85'), at('86')]
/**
 * Runtime code: reverts; stops; returned 33 bytes; answers 2^256 - 1; the hash of what it is asked, as one word, and as the
 * first of three.
 */
const strangeContracts: Readonly<Record<Address, Hex>> = {
  [reverting]: '0x60006000fd',
  [silent]: '0x00',
  [long]: '0x60216000f3',
  [huge]: `0x7f${'f'.repeat(64)}60005260206000f3`,
  [echo]: '0x3660006000373660002060005260206000f3',
  [echo3]: '0x3660006000373660002060005260606000f3',
}

function inList(symbol: string): ListedToken {
  return config.tokenList.tokens.find((token) => token.symbol === symbol) as ListedToken
}

type Changes = { tokens?: readonly ListedToken[]; multicall?: Address; isCoin?: boolean; rpcUrl?: string }

function open(changes: Changes = {}) {
  const { chain, wrappedNative } = config.network
  const network = {
    ...config.network,
    chain: changes.multicall ? { ...chain, multicall: changes.multicall } : chain,
    wrappedNative: { ...wrappedNative, isCoin: changes.isCoin === true },
  }
  const tokens = changes.tokens ?? config.tokenList.tokens
  const list = { tokens, highlighted: [] }
  const rpcUrls = [changes.rpcUrl ?? devnet.rpcUrl]
  const chains = { chain: toRecallingChain(createViemChain(rpcUrls)), stakeChain: openStakeChain(rpcUrls) }
  return openPortfolio({ network }, { ...chains, list: { current: () => list } })
}

const readTexts = async (portfolio: ReturnType<typeof open>, wallet: Address) => {
  const { balances } = await portfolio.readBalances(wallet)
  return Object.fromEntries(
    balances.map(({ token, amountRaw, decimals }) => [
      config.tokenList.tokens.find(({ id }) => id === token)?.symbol ?? token,
      rawToDecimal(amountRaw, decimals),
    ]),
  )
}

const unlisted = (id: Address, changes: Partial<ListedToken> = {}) => ({ ...inList('CNDR'), id, address: id, ...changes })

describe("a wallet's balances on a real chain", () => {
  it.each([['with its multicall', undefined] as const, ['without a multicall', at('99')] as const])(
    'are exactly what each contract says, %s',
    async (_, multicall) => {
      const texts = await readTexts(open(multicall ? { multicall } : {}), demo)
      const { native, ...tokens } = texts
      expect(tokens).toEqual({
        WEMB: '2.5',
        USDC: '24999.999999',
        BSLT: '6499.99999999',
        CNDR: '1799.999999999999999999',
        HRBR: '12',
        TIDE: '40000',
        LNTN: '30000',
        FNNC: '250000000',
        VERD: '900',
        OCHR: '75',
      })
      expect(native).toBe('41.000000000000000001')
      expect(native).toBe(formatUnits(await client.getBalance({ address: demo }), 18))
      for (const { symbol, address, decimals } of config.tokenList.tokens) {
        const raw = await client.readContract({
          abi: erc20Abi,
          address: address as Address,
          functionName: 'balanceOf',
          args: [demo],
        })
        expect(texts[symbol] ?? '0', symbol).toBe(formatUnits(raw, decimals))
      }
      expect(new Set(Object.keys(tokens).map((symbol) => inList(symbol).decimals))).toEqual(new Set([6, 8, 18]))
    },
  )

  it('are of one block, and leave out what the wallet has nothing of', async () => {
    const head = Number(await devnet.rpc('eth_blockNumber'))
    expect(await open().readBalances(other)).toMatchObject({ block: head })
    expect(Object.keys(await readTexts(open(), other))).toEqual(['native', 'USDC', 'BSLT', 'CNDR'])
    expect(await open().readBalances(at('ee'))).toEqual({ block: head, balances: [] })
  })

  it('go without a token that reverts, or returned nothing, 33 bytes, or from no contract', async () => {
    const broken = [reverting, silent, long, at('99')].map((id) => unlisted(id))
    for (const multicall of [devnet.contracts.multicall3, at('99')])
      expect(Object.keys(await readTexts(open({ tokens: [...broken, inList('HRBR')], multicall }), demo))).toEqual([
        'native',
        'HRBR',
      ])
  })

  it('have every digit of the largest number there is', async () => {
    const { balances } = await open({ tokens: [unlisted(huge, { decimals: 18 })] }).readBalances(demo)
    expect(balances[1]).toEqual({
      token: huge,
      amountRaw: 115_792_089_237_316_195_423_570_985_008_687_907_853_269_984_665_640_564_039_457_584_007_913_129_639_935n,
      decimals: 18,
    })
  })

  it('count the coin once where a token tells of it too', async () => {
    expect(Object.keys(await readTexts(open({ isCoin: true }), demo))).not.toContain('WEMB')
    expect(Object.keys(await readTexts(open(), demo))).toContain('WEMB')
  })
})

describe('a stake on a real chain', () => {
  const readStake = async (token: ListedToken, wallet = demo) => {
    const contract = token.stakingContract?.toLowerCase() as Address
    const { amountRaw, decimals } = await open({ tokens: [token] }).readStake({ contract, wallet })
    return rawToDecimal(amountRaw, decimals)
  }

  it.each([
    ['CNDR', '1200'],
    ['HRBR', '5'],
  ])('of %s is what its contract says', async (symbol, text) => {
    const raw = await client.readContract({
      abi: parseAbi(['function stakedBalance(address account) view returns (uint256)']),
      address: inList(symbol).stakingContract as Address,
      functionName: 'stakedBalance',
      args: [demo],
    })
    expect(await readStake(inList(symbol))).toBe(text)
    expect(formatUnits(raw, inList(symbol).decimals)).toBe(text)
    expect(await readStake(inList(symbol), other)).toBe('0')
  })

  it.each([
    ['balanceOf(address)', {}],
    ['balanceOf(address)', { stakingAdapter: 'balanceOf' }],
    ['stakedBalance(address)', { stakingAdapter: 'stakedBalance' }],
    ['userInfo(address)', { stakingAdapter: 'userInfo' }],
    ['userInfo(uint256 pool, address)', { stakingAdapter: 'userInfo', stakingPool: 300 }],
  ] as const)('is asked by %s as the list says: %o', async (signature, fields) => {
    const abi = parseAbi([`function ${signature}`] as readonly string[]) as never
    const args = 'stakingPool' in fields ? [300n, demo] : [demo]
    const asked = encodeFunctionData({ abi, args } as never)
    const stakingContract = 'stakingAdapter' in fields && fields.stakingAdapter === 'userInfo' ? echo3 : echo
    expect(await readStake({ ...inList('TIDE'), ...fields, stakingContract, decimals: 0 })).toBe(String(BigInt(keccak256(asked))))
  })

  it.each([
    ['reverts', reverting],
    ['answers nothing', silent],
    ['answers 33 bytes', long],
    ['is not there', at('99')],
  ])('is unreadable where the contract %s', async (_, stakingContract) => {
    for (const stakingAdapter of ['balanceOf', 'userInfo'] as const)
      await expect(readStake({ ...inList('TIDE'), stakingContract, stakingAdapter })).rejects.toMatchObject({
        code: 'wallet-unreadable',
        message: `The stake of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 cannot be read: ${stakingContract} returns no amount from ${stakingAdapter}(address)`,
      })
  })

  it('is in a request of its own: a node that chokes on many calls in one, over a contract among them, still tells it', async () => {
    const node = await startStrangeNode(devnet.rpcUrl, { batch: { status: 500, body: '{}' } })
    const portfolio = open({ rpcUrl: node.url })
    const stakes = ['CNDR', 'HRBR'].map((symbol) =>
      portfolio.readStake({ contract: inList(symbol).stakingContract?.toLowerCase() as Address, wallet: demo }),
    )
    const balances = portfolio.readBalances(demo)
    await expect(balances).rejects.toMatchObject({ code: 'wallet-unreadable' })
    expect((await Promise.all(stakes)).map(({ amountRaw, decimals }) => rawToDecimal(amountRaw, decimals))).toEqual(['1200', '5'])
    await node.close()
  })

  it('takes one word where one is wanted, and the first of several from userInfo', async () => {
    await expect(readStake({ ...inList('TIDE'), stakingContract: echo3 })).rejects.toMatchObject({ code: 'wallet-unreadable' })
    expect(await readStake({ ...inList('TIDE'), stakingContract: huge, stakingAdapter: 'userInfo' })).toMatch(/^\d{60}\.\d{17}5$/)
  })
})
