import { describe, expect, it } from 'vitest'
import { createKeyedHash } from '../keyedHash.ts'
import { type ChallengeUse, judgeChallenge, makeChallenge } from './challenge.ts'

const party = { origin: 'https://board.example', host: 'board.example', rpId: 'board.example' }
const use: ChallengeUse = { kind: 'passkey', purpose: 'link', userId: 'u1', party, challengeToken: 'a browser' }
const at = (seconds: number, pepper = 'pepper') => ({ keyedHash: createKeyedHash(pepper), nowSeconds: () => seconds })
const outcome = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}

const foreign = 'Failure: This was not signed for this site, browser and purpose: start again'
const late = 'Failure: This took too long: start again'

describe('a challenge', () => {
  const challenge = makeChallenge(at(1_700_000_000), use)

  it('is letters and digits, and never the same twice', () => {
    expect(challenge).toMatch(/^[0-9a-f]{72}$/)
    expect(makeChallenge(at(1_700_000_000), use)).not.toBe(challenge)
  })

  it('is good for five minutes, and for servers whose clocks differ by half a minute', () => {
    expect(judgeChallenge(at(1_700_000_299), challenge, use)).toMatchObject({
      issuedAtSeconds: 1_700_000_000,
      expiresAtSeconds: 1_700_000_300,
    })
    expect(judgeChallenge(at(1_699_999_970), challenge, use)).toMatchObject({ issuedAtSeconds: 1_700_000_000 })
    expect(outcome(() => judgeChallenge(at(1_700_000_300), challenge, use))).toBe(late)
    expect(outcome(() => judgeChallenge(at(1_699_999_969), challenge, use))).toBe(late)
  })

  it.each<[string, Partial<ChallengeUse>]>([
    ['kind of answer', { kind: 'wallet' }],
    ['purpose', { purpose: 'sign-in' }],
    ['account', { userId: 'u2' }],
    ['account, where none is wanted', { userId: undefined }],
    ['site', { party: { ...party, origin: 'https://evil.example' } }],
    ['browser', { challengeToken: 'another browser' }],
    ['browser, where none is known', { challengeToken: undefined }],
  ])('is bound to its %s', (_, other) => {
    expect(outcome(() => judgeChallenge(at(1_700_000_000), challenge, { ...use, ...other }))).toBe(foreign)
  })

  it('is none when anything of it is changed, or another site made it', () => {
    const later = `${(1_700_000_200).toString(16)}${challenge.slice(8)}`
    for (const text of [
      later,
      challenge.slice(1),
      `${challenge}0`,
      '',
      challenge.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
    ])
      expect(outcome(() => judgeChallenge(at(1_700_000_000), text, use))).toBe(foreign)
    expect(outcome(() => judgeChallenge(at(1_700_000_000, 'another pepper'), challenge, use))).toBe(foreign)
  })
})
