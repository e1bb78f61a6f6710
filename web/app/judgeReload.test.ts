import { describe, expect, it } from 'vitest'
import { isReloadBad, type PageFacts } from './judgeReload.ts'

const idle: PageFacts = { held: false, dialog: 'none', cursor: 'elsewhere', formHasText: false }

describe('a page that is old, or that the browser brings back from its cache', () => {
  it.each<[what: string, facts: Partial<PageFacts>, old: 'reloads' | 'waits', restored: 'reloads' | 'waits']>([
    ['nobody does anything', {}, 'reloads', 'reloads'],
    ['details, a chart or swaps are open: their address brings them back', { dialog: 'shows' }, 'reloads', 'reloads'],
    ['the cursor is in the search, and nothing is typed', { cursor: 'emptyField' }, 'reloads', 'reloads'],
    ['somebody types a search', { cursor: 'typedField' }, 'waits', 'waits'],
    ['the cursor is in a login, a PIN or a key', { cursor: 'formField' }, 'waits', 'waits'],
    ['a form is half filled, and the cursor is elsewhere', { formHasText: true }, 'waits', 'waits'],
    ['a boost, a choice of wallets or a PIN box is open', { dialog: 'acts' }, 'waits', 'reloads'],
    ['somebody types in a dialog', { dialog: 'acts', cursor: 'formField' }, 'waits', 'waits'],
    ['the page asks whether to delete something', { dialog: 'asks' }, 'waits', 'waits'],
    ['a wallet is asked, or a transaction waits', { held: true }, 'waits', 'waits'],
    ['a transaction waits behind a chart', { held: true, dialog: 'shows' }, 'waits', 'waits'],
  ])('%s', (_what, facts, old, restored) => {
    const outcome = (why: 'old' | 'restored') => (isReloadBad({ ...idle, ...facts }, why) ? 'waits' : 'reloads')
    expect([outcome('old'), outcome('restored')]).toEqual([old, restored])
  })
})
