import { expect, test } from 'vitest'
import { listWalletLinks } from './walletLinks.ts'

test('a page is opened in the browsers of wallets, with all of its address', () => {
  expect(listWalletLinks({ href: 'https://board.example/?token=0x12&a=b', protocol: 'https:' })).toEqual([
    { name: 'MetaMask', url: 'https://metamask.app.link/dapp/board.example/?token=0x12&a=b' },
    { name: 'Coinbase Wallet', url: 'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fboard.example%2F%3Ftoken%3D0x12%26a%3Db' },
    {
      name: 'Trust Wallet',
      url: 'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fboard.example%2F%3Ftoken%3D0x12%26a%3Db',
    },
  ])
})

test('a page without https is opened by none', () => {
  expect(listWalletLinks({ href: 'http://localhost:3000/', protocol: 'http:' })).toEqual([])
})
