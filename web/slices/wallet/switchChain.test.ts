import { describe, expect, it } from 'vitest'
import type { WalletProvider } from './discoverWallets.ts'
import { switchChain, toAddedChain } from './switchChain.ts'

const ember = {
  chain: {
    id: 31_337,
    name: 'Ember',
    nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 },
    rpcUrl: '/rpc',
  },
  explorer: {
    txUrl: 'https://explorer.ember.example/tx/{hash}',
    addressUrl: 'https://explorer.ember.example/address/{address}',
  },
}
const added = toAddedChain(ember, 'https://board.example')

/** A wallet on chain 1 that knows `chains`, and writes down what it is asked. */
function openWallet({ chains = [1], movesWhenTold = true, refuses = 0 }) {
  const asked: string[] = []
  let chainId = 1
  const known = new Set(chains)
  const provider: WalletProvider = {
    async request({ method, params }) {
      asked.push(method)
      const wanted = Number((params?.[0] as { chainId?: string } | undefined)?.chainId)
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
      if (refuses) throw Object.assign(new Error('no'), { code: refuses })
      if (method === 'wallet_addEthereumChain') known.add(wanted)
      else if (!known.has(wanted)) throw Object.assign(new Error('unknown'), { code: 4902 })
      if (method === 'wallet_switchEthereumChain' || movesWhenTold) chainId = wanted
      return null
    },
  }
  return { provider, asked }
}

describe('bringing a wallet to our chain', () => {
  it('asks it to switch when it knows the chain', async () => {
    const { provider, asked } = openWallet({ chains: [1, 31_337] })
    expect(await switchChain(provider, added)).toBe(31_337)
    expect(asked).toEqual(['wallet_switchEthereumChain', 'eth_chainId'])
  })

  it('tells it about the chain when it does not', async () => {
    const { provider, asked } = openWallet({})
    expect(await switchChain(provider, added)).toBe(31_337)
    expect(asked).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'eth_chainId', 'eth_chainId'])
  })

  it('asks once more when it was told and stayed where it was', async () => {
    const { provider, asked } = openWallet({ movesWhenTold: false })
    expect(await switchChain(provider, added)).toBe(31_337)
    expect(asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(2)
  })

  it('passes on that the visitor declined, and does not ask again', async () => {
    const { provider, asked } = openWallet({ refuses: 4001 })
    await expect(switchChain(provider, added)).rejects.toMatchObject({ code: 4001 })
    expect(asked).toEqual(['wallet_switchEthereumChain'])
  })
})

describe('what a wallet is told about our chain', () => {
  it('has addresses that make sense outside of the page', () => {
    expect(added).toEqual({
      chainId: '0x7a69',
      chainName: 'Ember',
      nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 },
      rpcUrls: ['https://board.example/rpc'],
      blockExplorerUrls: ['https://explorer.ember.example'],
    })
  })

  it('names a public node as it is, and no explorer where there is none', () => {
    const chain = { ...ember.chain, rpcUrl: 'https://rpc.ember.example' }
    expect(toAddedChain({ chain, explorer: null }, 'https://board.example')).toEqual({
      chainId: '0x7a69',
      chainName: 'Ember',
      nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 },
      rpcUrls: ['https://rpc.ember.example/'],
    })
  })
})
