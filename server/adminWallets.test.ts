import { describe, expect, it } from 'vitest'
import { findPublicAdmins, findUnfitAdmins, parseAdminWallets, toAdminWallets } from './adminWallets.ts'
import type { Problem } from './findProblems.ts'

const [first, second] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const

function parse(text: string | undefined) {
  const problems: Problem[] = []
  return { wallets: parseAdminWallets(text, problems), problems }
}

describe('operators in ADMIN_WALLETS', () => {
  it('are owners unless a role is behind their address, in whatever case it is written', () => {
    expect(parse(`0x${'A1'.repeat(20)}, ${second}:viewer`)).toEqual({
      wallets: [
        { wallet: first, role: 'owner' },
        { wallet: second, role: 'viewer' },
      ],
      problems: [],
    })
  })

  it('are those of the network file where the variable is missing or empty', () => {
    expect([parse(undefined).wallets, parse('').wallets]).toEqual([undefined, undefined])
  })

  it.each([
    ['no address', '0x12', '"0x12"'],
    ['an unknown role', `${first}:admin`, `"${first}:admin"`],
    ['two roles', `${first}:owner:viewer`, `"${first}:owner:viewer"`],
    ['a comma at the end', `${first},`, '""'],
  ])('are refused with what was found: %s', (_name, text, found) => {
    const { problems } = parse(text)
    expect(problems).toEqual([{ field: 'ADMIN_WALLETS', found, wanted: expect.stringMatching(/^addresses, .*:owner/) }])
  })
})

it('operators of the network file are owners where it gives an address alone', () => {
  expect(toAdminWallets({ adminWallets: [first, { wallet: second, role: 'viewer' }] })).toEqual([
    { wallet: first, role: 'owner' },
    { wallet: second, role: 'viewer' },
  ])
})

describe('operators who do not go together', () => {
  const owner = { wallet: first, role: 'owner' } as const

  it('are a wallet with two roles', () => {
    expect(findUnfitAdmins({}, [owner, { wallet: second, role: 'viewer' }, { wallet: first, role: 'viewer' }])).toEqual([
      { field: 'adminWallets', found: `"${first}" twice`, wanted: 'each wallet once' },
    ])
  })

  it('are fewer than two owners where deleting takes two: nobody could ever delete', () => {
    const admins = [owner, { wallet: second, role: 'viewer' }] as const
    const problem = { field: 'twoOwnersDelete', found: 'true with 1 owner', wanted: 'two owners or more in adminWallets' }
    expect(findUnfitAdmins({ twoOwnersDelete: true }, admins)).toEqual([problem])
    expect(findUnfitAdmins({ twoOwnersDelete: true }, [])).toMatchObject([{ found: 'true with 0 owners' }])
    expect(findUnfitAdmins({}, admins)).toEqual([])
    expect(findUnfitAdmins({ twoOwnersDelete: true }, [owner, { wallet: second, role: 'owner' }])).toEqual([])
  })
})

it('operators whose keys are public are named: the first account of Hardhat and Anvil opens the panel to all', () => {
  const anvil = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  expect(findPublicAdmins([{ wallet: first, role: 'owner' }])).toEqual([])
  expect(
    findPublicAdmins([
      { wallet: first, role: 'owner' },
      { wallet: anvil, role: 'viewer' },
    ]),
  ).toEqual([{ field: 'adminWallets', found: `"${anvil}"`, wanted: 'wallets of your own: the keys of these are public' }])
})
