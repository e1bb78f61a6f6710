import { describe, expect, it } from 'vitest'
import { createKeyedHash } from '../keyedHash.ts'
import type { ChallengePurpose } from '../methods/challenge.ts'
import type { MethodParts } from '../methods/methodParts.ts'
import { judgeSiwe, makeSiweMessage, type SiweUse } from './judgeSiwe.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const party = { origin: 'https://board.example', host: 'board.example', rpId: 'board.example' }
const user = { id: 'u1', username: 'ada', createdAtSeconds: 0 } as SiweUse['user']
const use: SiweUse = { purpose: 'confirm-pin', party, challengeToken: 'a browser', user }

/** What the judge needs of a site: its secret, its clock and its chain. */
function siteAt(nowSeconds: number, chainId = 31_337): MethodParts {
  const parts: Pick<MethodParts, 'keyedHash' | 'nowSeconds' | 'chainId'> = {
    keyedHash: createKeyedHash('pepper'),
    nowSeconds: () => nowSeconds,
    chainId,
  }
  return parts as MethodParts
}

const site = siteAt(1_795_700_000)
const signature = `0x${'AB'.repeat(65)}`
const message = makeSiweMessage(site, wallet, use)

function judge(changes: { message?: unknown; signature?: unknown; site?: MethodParts; use?: Partial<SiweUse> } = {}) {
  try {
    const answer = { message: 'message' in changes ? changes.message : message, signature: changes.signature ?? signature }
    return judgeSiwe(changes.site ?? site, answer, { ...use, ...changes.use })
  } catch (error) {
    return error
  }
}

const failure = (code: string, text: string) => expect.objectContaining({ code, message: text })
const notGiven = failure('signature-invalid', 'This message is not the one that the server issued: start again')
const foreign = failure('signature-invalid', 'This was not signed for this site, browser and purpose: start again')
const noMessage = failure('request-invalid', 'message: expected the signed text of Sign-In with Ethereum (EIP-4361)')
const noSignature = failure('request-invalid', 'signature: expected 0x and hexadecimal digits, 8194 characters at most')

describe('the message that a wallet signs', () => {
  it('says what it is for, to whom, on which chain and for how long', () => {
    const [nonce] = /(?<=Nonce: )[0-9a-f]{72}/.exec(message) ?? []
    expect(message).toBe(`board.example wants you to sign in with your Ethereum account:
0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266

Set a new PIN for the account ada. This is free and moves no funds.

URI: https://board.example
Version: 1
Chain ID: 31337
Nonce: ${nonce}
Issued At: 2026-11-26T13:33:20.000Z
Expiration Time: 2026-11-26T13:38:20.000Z`)
  })

  it.each<[ChallengePurpose, string]>([
    ['sign-in', 'Sign in to your account. This is free and moves no funds.'],
    ['link', 'Let this wallet sign in to the account ada. This is free and moves no funds.'],
    ['confirm-link', 'Add another way to sign in to the account ada. This is free and moves no funds.'],
    ['confirm-removal', 'Remove a way to sign in to the account ada. This is free and moves no funds.'],
    ['confirm-pin', 'Set a new PIN for the account ada. This is free and moves no funds.'],
  ])('to %s reads so', (purpose, statement) => {
    expect(makeSiweMessage(site, wallet, { ...use, purpose }).split('\n')[3]).toBe(statement)
  })

  it.each(['0x12', '', wallet.slice(0, -1), 7, null, undefined])('is made for an address only, not for %j', (address) => {
    expect(() => makeSiweMessage(site, address, use)).toThrow('walletAddress: expected an address, 0x and 40 hexadecimal digits')
  })
})

describe('the answer of a wallet', () => {
  it('is taken with the wallet and the signature in lower case', () => {
    expect(judge()).toEqual({
      wallet: wallet.toLowerCase(),
      message,
      signature: `0x${'ab'.repeat(65)}`,
      challenge: { digest: expect.any(String), issuedAtSeconds: 1_795_700_000, expiresAtSeconds: 1_795_700_300 },
    })
  })

  it.each<[string, Partial<SiweUse>]>([
    ['for something else', { purpose: 'link' }],
    ['for another account', { user: { ...user, id: 'u2' } as SiweUse['user'] }],
    ['in another browser', { challengeToken: 'another browser' }],
    ['in a browser that has asked for nothing', { challengeToken: undefined }],
  ])('counts for nothing %s', (_, changed) => {
    expect(judge({ use: changed })).toEqual(foreign)
  })

  it('counts for nothing on another site', () => {
    const elsewhere = { ...party, host: 'evil.example', origin: 'https://evil.example' }
    expect(judge({ use: { party: elsewhere } })).toEqual(
      failure('signature-invalid', 'This message was signed for another site: expected evil.example'),
    )
    // The right name, at another origin of the same host.
    expect(judge({ use: { party: { ...party, origin: 'http://board.example' } } })).toEqual(foreign)
  })

  it('counts for five minutes', () => {
    expect(judge({ site: siteAt(1_795_700_299) })).toMatchObject({ message })
    expect(judge({ site: siteAt(1_795_700_300) })).toEqual(failure('signature-invalid', 'This took too long: start again'))
  })

  it.each([
    ['another statement', (text: string) => text.replace('Set a new PIN for the account ada', 'Claim your airdrop')],
    ['another account', (text: string) => text.replace('account ada', 'account bob')],
    ['another chain', (text: string) => text.replace('31337', '1')],
    ['more time', (text: string) => text.replace('13:38:20', '23:38:20')],
    ['another address of the site', (text: string) => text.replace('https://board.example', 'https://evil.example')],
    ['more behind it', (text: string) => `${text}\nResources:\n- https://evil.example`],
    ['an address that is not checksummed', (text: string) => text.replace(wallet, wallet.toLowerCase())],
  ])('is refused with %s in the text', (_, change) => {
    expect(judge({ message: change(message) })).toEqual(notGiven)
  })

  it('may be of any wallet: its signature is looked at next', () => {
    expect(judge({ message: message.replace(wallet, other) })).toMatchObject({ wallet: other.toLowerCase() })
  })

  it('is refused on another chain than the one that was asked', () => {
    expect(judge({ site: siteAt(1_795_700_000, 42_220) })).toEqual(notGiven)
  })

  it.each([undefined, null, 7, '', 'Sign in', 'x'.repeat(2_001), [message]])('is none where the text is %j', (text) => {
    expect(judge({ message: text })).toEqual(noMessage)
  })

  it('is none where the text is ours and too long', () => {
    expect(judge({ message: message + ' '.repeat(2_001) })).toEqual(noMessage)
  })

  it.each(['0x', '', '0xabc', 'ab'.repeat(65), `0x${'zz'.repeat(65)}`, `0x${'ab'.repeat(4_097)}`, 7, {}])(
    'is none with the signature %j',
    (given) => {
      expect(judge({ signature: given })).toEqual(noSignature)
    },
  )

  it('may have several signatures of a contract in one, up to 8,194 characters', () => {
    expect(judge({ signature: `0x${'ab'.repeat(4_096)}` })).toMatchObject({ message })
  })
})

it('takes back the message that it gave out, also when a second begins while it is made', () => {
  let now = 1_700_000_000
  const nowSeconds = () => {
    now += 1
    return now
  }
  const parts = { chainId: 31_337, keyedHash: createKeyedHash('pepper'), nowSeconds } as MethodParts
  const given = makeSiweMessage(parts, wallet, use)
  expect(given).toContain('\nIssued At: 2023-11-14T22:13:21.000Z\n')
  expect(judgeSiwe(parts, { message: given, signature: '0x1234' }, use)).toMatchObject({
    challenge: { issuedAtSeconds: 1_700_000_001, expiresAtSeconds: 1_700_000_301 },
  })
})
