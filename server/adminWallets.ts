import { type Address, hasRole, type OperatorRole, operatorRoles, parseAddress } from '@chainboard/core'
import { type Problem, show } from './findProblems.ts'
import type { NetworkFile } from './networkFileSchema.ts'

/** Who may enter the operators' panel, and as what. `wallet` is in lower case. */
export type AdminWallet = { readonly wallet: Address; readonly role: OperatorRole }

const listWanted = `addresses, separated by commas, each with :${operatorRoles.join(', :')} or nothing after it`

/**
 * A comma list of addresses, each with its role behind a colon: an owner without. Undefined leaves the network file's.
 * @param problems what is no address or no role is added to
 */
export function parseAdminWallets(text: string | undefined, problems: Problem[]): readonly AdminWallet[] | undefined {
  if (!text) return undefined
  return text.split(',').flatMap((each) => {
    const [address = '', named = 'owner', ...rest] = each.trim().split(':')
    const wallet = parseAddress(address)
    const role = operatorRoles.find((name) => name === named)
    if (wallet && role && rest.length === 0) return { wallet, role }
    problems.push({ field: 'ADMIN_WALLETS', found: show(each.trim()), wanted: listWanted })
    return []
  })
}

/** Those of the network file. */
export function toAdminWallets({ adminWallets = [] }: Pick<NetworkFile, 'adminWallets'>): readonly AdminWallet[] {
  return adminWallets.flatMap((each) => {
    const { wallet: text, role } = typeof each === 'string' ? { wallet: each, role: 'owner' as const } : each
    const wallet = parseAddress(text)
    return wallet ? { wallet, role } : []
  })
}

/** A wallet with two roles, and a rule for two owners where there is one. */
export function findUnfitAdmins(
  { twoOwnersDelete = false }: Pick<NetworkFile, 'twoOwnersDelete'>,
  admins: readonly AdminWallet[],
): Problem[] {
  const twice = admins.find(({ wallet }, place) => admins.findIndex((other) => other.wallet === wallet) !== place)
  const problems: Problem[] = []
  if (twice) problems.push({ field: 'adminWallets', found: `${show(twice.wallet)} twice`, wanted: 'each wallet once' })
  const owners = new Set(admins.filter(({ role }) => hasRole(role, 'owner')).map(({ wallet }) => wallet))
  if (twoOwnersDelete && owners.size < 2) {
    const found = `true with ${owners.size} ${owners.size === 1 ? 'owner' : 'owners'}`
    problems.push({ field: 'twoOwnersDelete', found, wanted: 'two owners or more in adminWallets' })
  }
  return problems
}

/** The accounts of local test nodes: everybody can sign with them. */
const publicAccounts = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
]

/** Operators' wallets that everybody has the key of: a copied network file of a test chain would open the panel to all. */
export function findPublicAdmins(admins: readonly AdminWallet[]): Problem[] {
  const found = admins.map(({ wallet }) => wallet).filter((wallet) => publicAccounts.includes(wallet))
  if (found.length === 0) return []
  const wanted = 'wallets of your own: the keys of these are public'
  return [{ field: 'adminWallets', found: found.map(show).join(', '), wanted }]
}
