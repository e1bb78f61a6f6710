import { apiUrl } from './apiUrl.ts'

// What the portfolio asks for, apart from `urls.ts`, which is a part of the first load of every page.

/** Tokens that name a contract they are staked in. */
export const stakableUrl = apiUrl('/assets.json', {}, { staking: '1' })

/** What a wallet holds, at one block. */
export function balanceUrl(wallet: string): string {
  return apiUrl('/api/wallets/:address/balance', { address: wallet })
}

/** `token` says which of the tokens staked in the contract is meant. */
export function stakeUrl(contract: string, wallet: string, token: string): string {
  const params = { stakingContract: contract, walletAddress: wallet }
  return apiUrl('/api/staking/:stakingContract/:walletAddress', params, { token })
}
