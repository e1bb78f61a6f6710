import { expect, test } from 'vitest'
import { findPinLane, type PinAttempt, type PinSigns } from './findPinLane.ts'
import { listSubjects } from './pinGuard.ts'

/** Ends with what was hashed, and falls into the 42nd bucket. */
const keyedHash = (label: string, text: string) => `0000002a ${label} ${text}`
const owner = { id: 'u1', key: 'ann', username: 'Ann', pinHash: '', createdAtSeconds: 0 }
const attempt: PinAttempt = {
  key: 'ann',
  user: owner,
  pin: '4711',
  visitor: { client: '192.0.2.1', sessionToken: undefined, browserTokens: [] },
  code: undefined,
}
const nothing: PinSigns = { codeHash: undefined, browserHash: undefined, hasSession: false, isKnownNetwork: false }
const all: PinSigns = { codeHash: 'c0de', browserHash: 'b0', hasSession: true, isKnownNetwork: true }

const here = '0000002a client 192.0.2.1'
const ofNetwork = [`network:u1:${here}`, `networkClient:${here}`]
const ofStranger = [
  'account:ann',
  'client:42',
  'client:42:account:ann',
  'pair:0000002a guess account:ann 4711',
  'client:42:0000002a guess client:42 4711',
  'nobodys:client:42:0000002a guess client:42 4711',
  'guess:0000002a guess 4711',
  'nobodysGuess:0000002a guess 4711',
  'reserve',
  'nobodysReserve',
  'client:42:reserve',
]

test.each<[string, PinSigns, 'recognized' | 'unrecognized', string[]]>([
  ['a code goes before all others', all, 'recognized', ['code:c0de']],
  ['then the browser', { ...all, codeHash: undefined }, 'recognized', ['browser:u1:b0', 'browserWrong:u1:b0']],
  [
    'then the session, all of the user together',
    { ...nothing, hasSession: true, isKnownNetwork: true },
    'recognized',
    ['browser:u1:session', 'browserWrong:u1:session'],
  ],
  ['then the network', { ...nothing, isKnownNetwork: true }, 'recognized', ofNetwork],
  ['nothing: counted as a stranger, for the account, the address and the PIN', nothing, 'unrecognized', ofStranger],
])('%s', (_, signs, caller, subjects) => {
  const lane = findPinLane(attempt, signs, keyedHash)
  expect(lane.caller).toBe(caller)
  expect(listSubjects(lane.limits)).toEqual(subjects)
})

test('an unknown name counts under a bucket, and its PIN under the decoys', () => {
  const { limits } = findPinLane({ ...attempt, key: 'zoe', user: undefined }, nothing, keyedHash)
  expect(limits.map(({ subject }) => subject).slice(0, 3)).toEqual(['nobody:42', 'client:42', 'client:42:nobody:42'])
  expect(limits.flatMap(({ decoy }) => decoy?.isCharged ?? [])).toEqual([true, true, true])
  expect(findPinLane(attempt, nothing, keyedHash).limits.flatMap(({ decoy }) => decoy?.isCharged ?? [])).toEqual([
    false,
    false,
    false,
  ])
})

test('an easy PIN has no reserve, and is counted over accounts on a known network, too', () => {
  const subjectsOf = (signs: PinSigns, pin: string) => listSubjects(findPinLane({ ...attempt, pin }, signs, keyedHash).limits)
  expect(subjectsOf(nothing, '1234').filter((subject) => subject.includes('eserve'))).toEqual([])
  expect(subjectsOf({ ...nothing, isKnownNetwork: true }, '1234')).toEqual([
    ...ofNetwork,
    `networkPair:0000002a guess ${here} u1 1234`,
    `networkGuess:0000002a guess ${here} 1234`,
  ])
})

test('PINs that the name has in it are one guess for all names', () => {
  const guessOf = (key: string, pin: string) =>
    listSubjects(findPinLane({ ...attempt, key, pin }, nothing, keyedHash).limits).filter((subject) =>
      subject.startsWith('guess:'),
    )
  expect(guessOf('anna8068', '8068')).toEqual(['guess:0000002a guess of the name'])
  expect(guessOf('moss7394', '7394')).toEqual(guessOf('anna8068', '8068'))
  expect(guessOf('anna8068', '7394')).toEqual(['guess:0000002a guess 7394'])
})
