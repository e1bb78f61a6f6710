import { expect, test } from 'vitest'
import { readFeedView, writeFeedView } from './feedView.ts'

const ann = '0x00000000000000000000000000000000000000aa'

test('an address says which swaps are shown; nonsense in it shows all of them', () => {
  const text = `tab=swaps&side=sell&over=1000&wallet=${ann.toUpperCase().replace('X', 'x')}&before=1795720598-1933-2`
  expect(readFeedView(new URLSearchParams(text))).toEqual({
    ...{ side: 'sell', minUsd: 1_000, wallet: ann, before: '1795720598-1933-2' },
  })
  const nothing = { side: undefined, minUsd: undefined, wallet: undefined, before: undefined }
  for (const nonsense of ['', 'side=both&over=-1&wallet=0x12&before=1-2', 'over=1e99&before=<script>', 'over=NaN'])
    expect(readFeedView(new URLSearchParams(nonsense))).toEqual(nothing)
})

test('another filter begins at the newest swaps and leaves the rest of the address alone', () => {
  const search = new URLSearchParams('tab=swaps&side=buy&before=9-9-9')
  expect(String(writeFeedView(search, { minUsd: 100 }))).toBe('tab=swaps&side=buy&over=100')
  expect(String(writeFeedView(search, { before: '8-8-8' }))).toBe('tab=swaps&side=buy&before=8-8-8')
  expect(String(writeFeedView(search, { side: undefined }))).toBe('tab=swaps')
})
