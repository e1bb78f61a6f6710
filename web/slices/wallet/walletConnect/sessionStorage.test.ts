import { expect, it } from 'vitest'
import { createMemoryStore, forgetActive, openFolder, readActive, sweep, writeActive } from './sessionStorage.ts'

it('keeps folders apart, and a cleared one takes nothing more', async () => {
  const store = createMemoryStore()
  const [one, two] = [openFolder(store, 'one'), openFolder(store, 'two')]
  await one.setItem('keys', { a: 1 })
  await two.setItem('keys', { b: 2 })
  expect(await one.getItem('keys')).toEqual({ a: 1 })
  expect(await two.getEntries()).toEqual([['keys', { b: 2 }]])
  one.clear()
  await one.setItem('keys', { a: 3 })
  expect(await one.getKeys()).toEqual([])
  expect(await two.getItem('keys')).toEqual({ b: 2 })
})

it('keeps no entry over 200,000 characters, and works on when the storage is full or holds something else', async () => {
  const store = createMemoryStore()
  const folder = openFolder(store, 'one')
  await folder.setItem('messages', 'x'.repeat(199_998))
  expect(await folder.getItem('messages')).toHaveLength(199_998)
  await folder.setItem('flood', 'x'.repeat(199_999))
  expect(await folder.getItem('flood')).toBeUndefined()
  store.setItem('walletconnect/one/odd', '{')
  expect(await folder.getItem('odd')).toBeUndefined()
  const full = openFolder(
    {
      ...store,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    },
    'two',
  )
  await full.setItem('keys', 1)
  expect(await full.getItem('keys')).toBeUndefined()
})

it('forgets only its own session, and sweeps what other attempts left, but nothing else of the site', async () => {
  const store = createMemoryStore()
  store.setItem('username', 'anna')
  writeActive(store, { folder: 'two', topic: 't' })
  await openFolder(store, 'one').setItem('keys', 1)
  await openFolder(store, 'two').setItem('keys', 2)
  forgetActive(store, 'one')
  expect(readActive(store)).toEqual({ folder: 'two', topic: 't' })
  sweep(store, 'two')
  expect(await openFolder(store, 'one').getKeys()).toEqual([])
  expect(await openFolder(store, 'two').getItem('keys')).toBe(2)
  forgetActive(store, 'two')
  expect(readActive(store)).toBeUndefined()
  sweep(store, undefined)
  expect([store.length, store.getItem('username')]).toEqual([1, 'anna'])
})

it.each(['null', '{}', '[1]', '{"folder":1,"topic":2}', 'x'])('takes %s for no session', (text) => {
  const store = createMemoryStore()
  store.setItem('walletconnect', text)
  expect(readActive(store)).toBeUndefined()
})
