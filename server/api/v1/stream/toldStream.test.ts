import { describe, expect, it } from 'vitest'
import { alpha, beta } from '../../../testing/market.ts'
import { alphaSnapshot, nowSeconds } from '../../../testing/priceApi.ts'
import { keepPriceCache } from '../priceCache.ts'
import { createPriceStream, type ToldEvent } from './priceStream.ts'
import type { Sink } from './readers.ts'

// Events that several servers tell, each with its place in the row of all.

function open(limits?: { eventsMax: number; bytesMax: number }) {
  const deps = { snapshot: () => alphaSnapshot(), nowSeconds: () => nowSeconds }
  const stream = createPriceStream({ ...deps, prices: keepPriceCache(deps) }, { run: 'aaaaaaaa', ...(limits && { limits }) })
  const read = (lastEventId?: string, addresses?: readonly string[]) => {
    const heard: string[] = []
    const note = (text: Buffer | string) => {
      for (const [, id] of String(text).matchAll(/id: aaaaaaaa-(\d+)/g)) heard.push(String(id))
      if (String(text).includes('"resumed":true')) heard.push('resumed')
    }
    const sink: Sink = { write: note, writableLength: 0, end: () => heard.push('ended'), destroy: () => undefined }
    const principal = { id: 'me', tier: 'basic' }
    stream.open({ principal, client: '192.0.2.1', addresses: addresses && new Set(addresses), lastEventId, sink })
    return heard
  }
  return { stream, read }
}

const told = (...places: number[]): ToldEvent[] =>
  places.map((place) => ({ place, name: 'price', addresses: [place % 2 ? alpha : beta], words: { json: '{}' } }))

describe('a stream of events that another server made', () => {
  it('tells each once, from where a reader was at any server', () => {
    const { stream, read } = open()
    stream.tell(told(5, 6))
    stream.tell(told(5, 6, 7))
    expect([read(), read('aaaaaaaa-5')]).toEqual([['7'], ['5', 'resumed', '6', '7']])
    stream.close()
  })

  it('does not tell twice who heard it first from a server that was ahead', () => {
    const { stream, read } = open()
    stream.tell(told(5))
    const [all, some] = [read('aaaaaaaa-7'), read('aaaaaaaa-7', [alpha])]
    stream.tell(told(6, 7, 8))
    stream.tell(told(9))
    expect([all, some]).toEqual([
      ['7', 'resumed', '8', '9'],
      ['7', 'resumed', '9'],
    ])
    expect(read('aaaaaaaa-999999')).toEqual(['9'])
    expect(read('bbbbbbbb-9')).toEqual(['9'])
    stream.close()
  })

  it('ends the streams when events were lost, whose readers start over', () => {
    const { stream, read } = open()
    stream.tell(told(5))
    const reader = read()
    stream.tell(told(8))
    expect([reader, read('aaaaaaaa-5'), read('aaaaaaaa-7')]).toEqual([['5', 'ended'], ['8'], ['7', 'resumed', '8']])
    stream.close()
  })
})
