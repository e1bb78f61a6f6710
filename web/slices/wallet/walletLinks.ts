/** A wallet's app, and the address that opens a page in its browser. */
export type WalletLink = { readonly name: string; readonly url: string }

/**
 * Ways to open this page in the browser of a common wallet's app, for phones, whose own browsers have no wallets.
 * @returns none for a page that is not reached over https: apps open no other
 */
export function listWalletLinks({ href, protocol }: Pick<Location, 'href' | 'protocol'>): readonly WalletLink[] {
  if (protocol !== 'https:') return []
  const page = encodeURIComponent(href)
  return [
    { name: 'MetaMask', url: `https://metamask.app.link/dapp/${href.slice('https://'.length)}` },
    { name: 'Coinbase Wallet', url: `https://go.cb-w.com/dapp?cb_url=${page}` },
    { name: 'Trust Wallet', url: `https://link.trustwallet.com/open_url?coin_id=60&url=${page}` },
  ]
}
