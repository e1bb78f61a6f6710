import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listAdminActs } from '../store/adminActs.ts'
import { putSiteEdit } from '../store/siteEdits.ts'
import type { Store } from '../store/store.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createActs } from './createActs.ts'
import type { Operator } from './operator.ts'
import { createSiteEdits, featuredMax } from './siteEdits.ts'

const stores = createTempStores()
const wallet: Address = `0x${'ad'.repeat(20)}`
const tokenAt = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`
const by: Operator = { wallet, role: 'editor', pass: { kind: 'session', id: 's' }, client: '192.0.2.1' }

/** One server of a site that lists 30 tokens, T1 to T30, and whose files feature T1. */
function serve(store: Store, allowed = true) {
  const put: (readonly Address[] | undefined)[] = []
  const act = createActs({
    ...{ store, hashAct: (text: string) => `${text.length}`, hashClient: (client: string) => client },
    ...{ onEntry: () => undefined, nowMs: () => Date.UTC(2026, 10, 21) },
  })
  const edits = createSiteEdits({
    store,
    act,
    allowed,
    list: {
      symbolOf: (token) => {
        const place = Number(token)
        return place >= 1 && place <= 30 ? `T${place}` : undefined
      },
      featured: () => put.at(-1) ?? [tokenAt(1)],
      putFeatured: (tokens) => void put.push(tokens),
    },
    nowMs: () => Date.UTC(2026, 10, 21),
  })
  return { edits, put }
}

const acts = async (store: Store) => (await listAdminActs(store.read, 10)).map(({ act, from, to }) => ({ act, from, to }))

describe('what an operator features', () => {
  it('is shown at once, in that order, and noted with what was shown before', async () => {
    const store = await stores.openNew('sqlite')
    const { edits, put } = serve(store)
    expect(await edits.readFeatured()).toEqual({ source: 'files', tokens: [tokenAt(1)] })
    expect(put).toEqual([])
    const spelled = tokenAt(0xab).replace('ab', 'AB')
    await expect(edits.editFeatured(by, [spelled])).rejects.toThrow('tokens.0: expected the address of a listed token')
    expect(await edits.editFeatured(by, [tokenAt(9), tokenAt(2)])).toEqual({ source: 'panel', tokens: [tokenAt(9), tokenAt(2)] })
    expect(put).toEqual([[tokenAt(9), tokenAt(2)]])
    expect(await acts(store)).toEqual([{ act: 'edit-featured', from: { featured: 'T1' }, to: { featured: 'T9, T2' } }])
  })

  it('may be nothing, which is not the same as what the files say', async () => {
    const { edits, put } = serve(await stores.openNew('sqlite'))
    expect(await edits.editFeatured(by, [])).toEqual({ source: 'panel', tokens: [] })
    expect(await edits.editFeatured(by, null)).toEqual({ source: 'files', tokens: [tokenAt(1)] })
    expect(put).toEqual([[], undefined])
  })

  it.each<[unknown, string]>([
    ['T1', 'tokens: expected a list of at most 24 addresses, or null'],
    [undefined, 'tokens: expected a list of at most 24 addresses, or null'],
    [{ 0: tokenAt(1), length: 1 }, 'tokens: expected a list of at most 24 addresses, or null'],
    [
      Array.from({ length: featuredMax + 1 }, (_, i) => tokenAt(i + 1)),
      'tokens: expected a list of at most 24 addresses, or null',
    ],
    [[tokenAt(1), 'T2'], 'tokens.1: expected the address of a listed token'],
    [[tokenAt(31)], 'tokens.0: expected the address of a listed token'],
    [[7], 'tokens.0: expected the address of a listed token'],
    [[tokenAt(1), tokenAt(2), tokenAt(1)], 'tokens.2: expected each token once'],
  ])('is refused as %j, and nothing changes', async (tokens, message) => {
    const store = await stores.openNew('sqlite')
    const { edits, put } = serve(store)
    await expect(edits.editFeatured(by, tokens)).rejects.toThrow(expect.objectContaining({ code: 'request-invalid', message }))
    expect([put, await acts(store)]).toEqual([[], []])
  })

  it('is what the files say where the panel may not edit, also after it could', async () => {
    const store = await stores.openNew('sqlite')
    await serve(store).edits.editFeatured(by, [tokenAt(5)])
    const { edits, put } = serve(store, false)
    await edits.follow()
    expect(await edits.readFeatured()).toEqual({ source: 'files', tokens: [tokenAt(1)] })
    await expect(edits.editFeatured(by, [tokenAt(5)])).rejects.toThrow(expect.objectContaining({ code: 'forbidden' }))
    expect(put).toEqual([])
  })

  it('is taken in by another server when it looks, and once', async () => {
    const store = await stores.openNew('sqlite')
    const [one, other] = [serve(store), serve(store)]
    await one.edits.editFeatured(by, [tokenAt(5)])
    await other.edits.follow()
    await other.edits.follow()
    expect(other.put).toEqual([[tokenAt(5)]])
    await one.edits.editFeatured(by, null)
    await other.edits.follow()
    expect(other.put).toEqual([[tokenAt(5)], undefined])
  })

  it('that is damaged in the database is an error of the store, and no list', async () => {
    const store = await stores.openNew('sqlite')
    await store.write((tx) => putSiteEdit(tx, { kind: 'featured', body: '{"a":1}', wallet, atSeconds: 0 }))
    const { edits } = serve(store)
    await expect(edits.readFeatured()).rejects.toThrow(expect.objectContaining({ code: 'store-damaged' }))
  })
})
