import { expect, it } from 'vitest'
import { beginToken, judgeToken, type OpenToken, type TokenText } from './judgeToken.ts'

const text = (decimals: number | undefined, symbol = 'T'): TokenText => ({ symbol, name: 'Token', decimals })
const minute = 60_000

type Told = { readonly text: TokenText; readonly isOfMost?: boolean } | undefined

/** Asks whenever the token is due. @returns what happened, with the minutes */
function play(stored: TokenText, tell: (minutes: number) => Told, untilMinutes: number) {
  const acts: [string, number][] = []
  const doubts: number[] = []
  let token: OpenToken | undefined = beginToken(stored, 0)
  for (let nowMs = 0; token && nowMs <= untilMinutes * minute; nowMs += minute / 2) {
    if (token.dueAtMs > nowMs) continue
    const told = tell(nowMs / minute)
    const { kind, open } = judgeToken(token, told && { isOfMost: true, ...told }, nowMs)
    acts.push([kind, nowMs / minute])
    token = kind === 'confirm' ? undefined : open
    if (open.isDoubted) doubts.push(nowMs / minute)
  }
  return { acts, doubts, stored: token?.stored }
}

const changes = ({ acts }: ReturnType<typeof play>) => acts.filter(([kind]) => kind !== 'wait')

it('what nodes still say after a minute, and three minutes later, is confirmed', () => {
  expect(play(text(18), () => ({ text: text(18) }), 60)).toEqual({
    acts: [
      ['wait', 1],
      ['confirm', 4],
    ],
    doubts: [],
    stored: undefined,
  })
})

it('other decimals are doubted after a minute, stored after two, and confirmed by two more readings', () => {
  const played = play(text(16), () => ({ text: text(18) }), 60)
  expect(played.doubts).toEqual([1])
  expect(played.acts).toEqual([
    ['wait', 1],
    ['correct', 2],
    ['wait', 3],
    ['confirm', 6],
  ])
})

it('a node that lies for three minutes more than at the first reading is found out by the third one', () => {
  const played = play(text(16), (minutes) => ({ text: text(minutes < 3 ? 16 : 18) }), 60)
  expect(changes(played)).toEqual([
    ['correct', 5],
    ['confirm', 9],
  ])
})

it('a node that errs for one reading changes nothing', () => {
  expect(changes(play(text(18), (minutes) => ({ text: text(minutes === 1 ? 16 : 18) }), 60))).toEqual([['confirm', 5]])
})

it('a contract that falls silent is believed after ten minutes, and raises no doubt', () => {
  const played = play(text(18), () => ({ text: text(undefined, '') }), 60)
  expect(changes(played)).toEqual([
    ['correct', 18],
    ['confirm', 37],
  ])
  expect(played.doubts).toEqual([])
})

it('of nodes that disagree, none is believed, and they are asked ever more seldom', () => {
  const played = play(text(18), () => undefined, 1_440)
  expect(played.acts.map(([, at]) => at)).toEqual([1, 2, 3, 4, 6, 10, 18, 34, 66, 130, 258, 514, 1_026])
  expect(changes(played)).toEqual([])
})

it('fewer than most of all nodes confirm nothing', () => {
  const played = play(text(18), () => ({ text: text(18), isOfMost: false }), 60)
  expect(changes(played)).toEqual([])
})

it('a token that answers otherwise each time changes nothing, and is asked ever more seldom', () => {
  const played = play(text(18), (minutes) => ({ text: text(minutes % 77) }), 1_440)
  expect(changes(played)).toEqual([])
  expect(played.acts.length).toBeLessThan(15)
  expect(played.doubts).toEqual([1, 2, 3])
})

it('a token that stays with each answer for a while is corrected three times, and then left as it is', () => {
  let [asked, decimals] = [0, 18]
  const twice = () => {
    if (asked++ % 2 === 0) decimals += 1
    return { text: text(decimals) }
  }
  const played = play(text(18), twice, 10_080)
  expect(changes(played).map(([kind]) => kind)).toEqual(['correct', 'correct', 'correct', 'confirm'])
  expect(played.doubts).toEqual([1, 3])
})
