import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { BoardEvent } from './cluster/board.ts'
import { toToldEvent } from './publishLead.ts'

const [alpha, beta, gamma]: readonly [Address, Address, Address] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'be'.repeat(20)}`,
  `0x${'c3'.repeat(20)}`,
]

describe('an event as a server of several streams it', () => {
  it('is a price as the leader wrote it, to the letter', () => {
    const json = '{"address":"0xA1","priceUsd": 1.50}'
    const event: BoardEvent = { place: 7, name: 'price', addresses: [alpha], block: 12, json }
    expect(toToldEvent(event)).toEqual({ place: 7, name: 'price', addresses: [alpha], words: { json } })
  })

  it('takes back of several tokens only those that a reader wants, in the spelling and with the block of the leader', () => {
    const json = JSON.stringify({ block: 11, addresses: ['0xA1', '0xBe', '0xC3'] })
    const { words, ...rest } = toToldEvent({ place: 8, name: 'retracted', addresses: [alpha, beta, gamma], block: 11, json })
    expect(rest).toEqual({ place: 8, name: 'retracted', addresses: [alpha, beta, gamma] })
    expect(words.json).toBe(json)
    expect(words.tellOf?.([gamma, alpha])).toBe('{"block":11,"addresses":["0xA1","0xC3"]}')
    expect(words.tellOf?.([`0x${'dd'.repeat(20)}`])).toBe('{"block":11,"addresses":[]}')
  })

  it('takes back no address that the leader did not write', () => {
    const json = JSON.stringify({ block: null, addresses: ['0xA1'] })
    const { words } = toToldEvent({ place: 8, name: 'retracted', addresses: [alpha, beta], block: undefined, json })
    expect(words.tellOf?.([alpha, beta])).toBe('{"block":null,"addresses":["0xA1"]}')
  })
})
