import { expect, test } from 'vitest'
import { parseRecording } from './parseRecording.ts'

const header = 'timestamp,net_amount0_raw,open_tick,highest_tick,lowest_tick,close_tick,liquidity'

test('a row becomes a minute; other columns are ignored', () => {
  expect(
    parseRecording(`${header}\n1658188800,-3036,202656,202697,202649,202693,42\n1658188860,1,202696,202786,202689,202770,5\n`),
  ).toEqual([
    { seconds: 1_658_188_800, openTick: 202_656, highestTick: 202_697, lowestTick: 202_649, closeTick: 202_693 },
    { seconds: 1_658_188_860, openTick: 202_696, highestTick: 202_786, lowestTick: 202_689, closeTick: 202_770 },
  ])
})

test('a fault names line, field, what was found and what was wanted', () => {
  const row = '1658188800,0,1,2,1,2,0'
  for (const [csv, text] of [
    ['time,open_tick\n1,2', 'line 1, field timestamp: found "time,open_tick", expected a column named timestamp'],
    [header, 'line 2, field timestamp: found "", expected at least one row'],
    [`${header}\n${row}\n1658188860,0,1,2,1,x,0`, 'line 3, field close_tick: found "x", expected a tick from -887272 to 887272'],
    [`${header}\n${row}\n1658188860,0,1,2`, 'line 3, field lowest_tick: found "", expected a tick from -887272 to 887272'],
    [`${header}\n1658188800,0,1,5,9,2,0`, 'line 2, field highest_tick: found "5", expected a tick from 9 to 887272'],
    [`${header}\n1658188800,0,1,900000,1,2,0`, 'line 2, field highest_tick: found "900000", expected a tick from 1 to 887272'],
    [
      `${header}\n${row}\n${row}`,
      'line 3, field timestamp: found "1658188800", expected unix seconds of a full minute after 1658188800',
    ],
    [
      `${header}\n1658188801,0,1,2,1,2,0`,
      'line 2, field timestamp: found "1658188801", expected unix seconds of a full minute after 0',
    ],
    [`${header}\n\n${row}`, 'line 2, field timestamp: found "", expected unix seconds of a full minute after 0'],
  ] as const) {
    expect(() => parseRecording(csv)).toThrow(new Error(text))
  }
})

test('line ends of Windows and a missing last one make no difference', () => {
  const row = '1658188800,0,1,2,1,2,0'
  expect(parseRecording(`${header}\r\n${row}\r\n`)).toEqual(parseRecording(`${header}\n${row}`))
})
