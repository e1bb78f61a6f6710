import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createHeaderProof, hashHeader } from './headerProof.ts'
import { createHttpNode } from './httpNode.ts'
import type { RpcNode } from './rpcNode.ts'
import { createNodeChain } from './viemChain.ts'

const zero = `0x${'00'.repeat(32)}`
const noTransactions = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** The first block of Ethereum, by any node. */
const genesis = {
  parentHash: zero,
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'00'.repeat(20)}`,
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: noTransactions,
  receiptsRoot: noTransactions,
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: zero,
  nonce: '0x0000000000000042',
}

describe('the hash of a header by its fields', () => {
  it("is that of Ethereum's first block", () => {
    expect(hashHeader(genesis)).toBe('0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
  })

  it.each([
    ['a field is missing', { ...genesis, nonce: undefined }],
    ['a field is no hexadecimal', { ...genesis, timestamp: 12 }],
    ['a hash is cut short', { ...genesis, mixHash: '0x0' }],
  ])('is none where %s', (_name, fields) => expect(hashHeader(fields)).toBe(undefined))
})

describe('a proof of headers', () => {
  const open = () => {
    let nowMs = 0
    const said: string[] = []
    const proof = createHeaderProof({
      nodes: 3,
      nowMs: () => nowMs,
      onForget: (text) => void said.push(text),
      hashOf: ({ truth }) => truth as string,
    })
    const fits = (number: number, more = {}, place = 0) =>
      proof.check({ number: `0x${number.toString(16)}`, hash: '0xaa', truth: '0xaa', ...more }, place)
    const refused = (number: number, more = {}) =>
      expect(() => differs(number, more)).toThrow(`The hash of block ${number} does not match`)
    const differs = (number: number, more = {}) => fits(number, { truth: '0xbb', ...more })
    const learn = (from: number) => {
      for (let i = 0; i < 8; i += 1) fits(from + i)
    }
    const learnOf = (place: number, from: number) => {
      for (let i = 0; i < 8; i += 1) fits(from + i, {}, place)
    }
    return { fits, differs, refused, learn, learnOf, said, pass: (ms: number) => (nowMs += ms) }
  }

  it('is one of the node whose headers fit, until those of most nodes do', () => {
    const { fits, learnOf, refused } = open()
    learnOf(1, 10)
    // What one node makes up says nothing of the chain that the others are on.
    fits(20, { truth: '0xbb' }, 0)
    fits(20, { truth: '0xbb' }, 2)
    expect(() => fits(20, { truth: '0xbb' }, 1)).toThrow('The hash of block 20 does not match')
    learnOf(2, 12)
    refused(20)
  })

  it('refuses a header that is not of its hash once eight different ones were', () => {
    const { fits, differs } = open()
    for (let i = 0; i < 20; i += 1) fits(5)
    for (let i = 0; i < 6; i += 1) fits(10 + i)
    expect(() => differs(16)).not.toThrow()
    for (let i = 0; i < 8; i += 1) fits(20 + i)
    expect(() => differs(28)).toThrow('The hash of block 28 does not match its header')
  })

  it('says nothing of a chain whose headers have other hashes', () => {
    const { differs } = open()
    for (let i = 0; i < 100; i += 1) expect(() => differs(i)).not.toThrow()
  })

  it('says nothing of blocks before those that it knows, nor of ones far above', () => {
    const { learn, differs, refused } = open()
    learn(1_000)
    expect(() => differs(999)).not.toThrow()
    expect(() => differs(11_008)).not.toThrow()
    refused(11_007)
  })

  it.each([
    ['a field of its own', { newRoot: '0x01' }],
    ['a field of a later fork', { requestsHash: zero }],
    ['too little to be hashed', { truth: undefined }],
    ['no hash', { hash: undefined }],
  ])('refuses one with %s, too', (_name, more) => {
    const { learn, refused } = open()
    learn(1_000)
    refused(1_008, more)
  })

  describe('of a fork that adds a field', () => {
    const forked = { newRoot: '0x01' }

    it('lets ten minutes pass, says so once, and believes it from its first block on', () => {
      const { learn, differs, refused, fits, said, pass } = open()
      learn(0)
      for (let i = 0; i < 100; i += 1) refused(8, forked)
      pass(599_999)
      refused(20, forked)
      pass(1)
      for (const block of [8, 9, 20, 21, 22]) expect(() => differs(block, forked)).not.toThrow()
      expect(said).toEqual(['Headers from block 8 on do not hash to their block hash: the server does not check these'])
      // Its history below is read meanwhile, and is checked on.
      fits(3)
      refused(4, forked)
      expect(() => differs(23, forked)).not.toThrow()
    })

    it('wants 16 headers of it, however long it takes', () => {
      const { learn, differs, refused, pass } = open()
      learn(0)
      refused(8, forked)
      pass(3_600_000)
      for (let i = 0; i < 14; i += 1) refused(9, forked)
      expect(() => differs(9, forked)).not.toThrow()
    })

    it('believes it not while a header near it fits, of whatever node', () => {
      const { learn, fits, refused, pass } = open()
      learn(0)
      for (let i = 0; i < 20; i += 1) refused(8, { requestsHash: zero })
      pass(600_000)
      fits(9)
      refused(10, { requestsHash: zero })
    })

    it('is not held up by its own history', () => {
      const { learn, fits, differs, refused, pass } = open()
      learn(0)
      for (let i = 0; i < 20; i += 1) refused(8, forked)
      fits(7)
      pass(600_000)
      expect(() => differs(9, forked)).not.toThrow()
    })

    it('checks it again when eight in a row fit again', () => {
      const { learn, differs, refused, pass } = open()
      learn(0)
      for (let i = 0; i < 20; i += 1) refused(8)
      pass(600_000)
      expect(() => differs(9)).not.toThrow()
      learn(10)
      refused(18)
    })
  })
})

describe('on a real node', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  it.each(['timestamp', 'receiptsRoot', 'logsBloom', 'gasUsed'])(
    'a header with another %s is refused after eight true ones',
    async (field) => {
      const real = createHttpNode(devnet.rpcUrl)
      let isLying = false
      const node: RpcNode = {
        request: async (method, params) => {
          const answer = (await real.request(method, params)) as Record<string, string>
          if (method !== 'eth_getBlockByNumber' || !isLying) return answer
          const value = answer[field] as string
          return { ...answer, [field]: value.slice(0, -1) + (value.endsWith('1') ? '2' : '1') }
        },
      }
      const chain = createNodeChain([node])
      for (let block = 1; block <= 8; block += 1) await chain.readHeader(block)
      isLying = true
      await expect(chain.readHeader(9)).rejects.toMatchObject({ code: 'rpc-invalid', retryable: true })
      await expect(chain.readHead()).rejects.toMatchObject({ code: 'rpc-invalid' })
      isLying = false
      expect((await chain.readHeader(9))?.number).toBe(9)
    },
  )
})
