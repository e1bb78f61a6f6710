import { describe, expect, it } from 'vitest'
import { createEndings } from './endings.ts'
import type { KeyState } from './keyIndex.ts'

/** A database with keys by id, and streams that note why they end. */
function open() {
  const keys = new Map<string, Partial<KeyState> | Error>()
  const clock = { seconds: 1_000 }
  const asked: string[] = []
  const endings = createEndings(
    async (id) => {
      asked.push(id)
      const key = keys.get(id)
      if (key instanceof Error) throw key
      return key && ({ status: 'active', expiresAtSeconds: undefined, hash: 'h1', ...key } as KeyState)
    },
    () => clock.seconds,
  )
  const ended: string[] = []
  const stream = (name: string, id: string, hash?: string) =>
    endings.listen({ id, ...(hash === undefined ? {} : { hash }) } as Parameters<typeof endings.listen>[0], (why) =>
      ended.push(`${name} ${why}`),
    )
  return { keys, clock, asked, endings, ended, stream }
}

describe('a stream that was opened with a key', () => {
  it('lasts while the key may be used, and ends with the reason when it is paused or gone', async () => {
    const { keys, endings, ended, stream } = open()
    keys.set('k', {})
    stream('a', 'k', 'h1')
    await endings.check('k')
    expect(ended).toEqual([])
    keys.set('k', { status: 'paused' })
    await endings.check('k')
    await endings.check('k')
    expect(ended).toEqual(['a KEY_INACTIVE'])
    stream('b', 'k', 'h1')
    keys.delete('k')
    await endings.check('k')
    expect(ended).toEqual(['a KEY_INACTIVE', 'b INVALID_API_KEY'])
  })

  it('ends where the key was replaced, while those of its successor continue', async () => {
    const { keys, endings, ended, stream } = open()
    keys.set('k', { hash: 'h2' })
    stream('old', 'k', 'h1')
    stream('new', 'k', 'h2')
    await endings.check('k')
    expect(ended).toEqual(['old INVALID_API_KEY'])
    endings.end('k', 'KEY_INACTIVE', 'h1')
    expect(ended).toHaveLength(1)
    endings.end('k', 'KEY_INACTIVE', 'h2')
    expect(ended).toEqual(['old INVALID_API_KEY', 'new KEY_INACTIVE'])
  })

  it('ends at the second at which the key expires, also where it was paused since', async () => {
    const { keys, clock, endings, ended, stream } = open()
    keys.set('k', { expiresAtSeconds: 1_010 })
    stream('a', 'k', 'h1')
    await endings.check('k')
    clock.seconds = 1_009
    endings.endExpired()
    expect(ended).toEqual([])
    clock.seconds = 1_010
    endings.endExpired()
    endings.endExpired()
    expect(ended).toEqual(['a KEY_EXPIRED'])
  })

  it('lasts while the database does not answer, and is asked for again', async () => {
    const { keys, asked, endings, ended, stream } = open()
    keys.set('k', new Error('away'))
    keys.set('other', {})
    stream('a', 'k', 'h1')
    stream('b', 'other', 'h1')
    await endings.checkAll()
    expect([ended, asked.toSorted()]).toEqual([[], ['k', 'other']])
    keys.set('k', { status: 'paused' })
    await endings.checkUnsure()
    await endings.checkUnsure()
    expect([ended, asked]).toEqual([['a KEY_INACTIVE'], ['k', 'other', 'k']])
  })

  it('that was opened while the database was asked is not judged by that answer', async () => {
    const { keys, endings, ended, stream } = open()
    keys.set('k', { status: 'paused' })
    stream('a', 'k', 'h1')
    const checking = endings.check('k')
    // The key was resumed meanwhile, and the newcomer has been admitted with that.
    stream('b', 'k', 'h1')
    await checking
    expect(ended).toEqual(['a KEY_INACTIVE'])
  })

  it('is not told when it has closed, and nothing of it stays', async () => {
    const { keys, asked, endings, ended, stream } = open()
    const close = stream('a', 'k', 'h1')
    close()
    close()
    keys.delete('k')
    await endings.checkAll()
    endings.end('k', 'KEY_INACTIVE')
    expect([ended, asked]).toEqual([[], []])
  })

  it('does not keep the others from being told when it opens another one', async () => {
    const { endings, ended, stream } = open()
    endings.listen({ id: 'k', hash: 'h1' } as Parameters<typeof endings.listen>[0], () => void stream('again', 'k', 'h1'))
    stream('a', 'k', 'h1')
    endings.end('k', 'KEY_INACTIVE')
    expect(ended).toEqual(['a KEY_INACTIVE'])
    endings.end('k', 'KEY_INACTIVE')
    expect(ended).toEqual(['a KEY_INACTIVE', 'again KEY_INACTIVE'])
  })
})

it('a stream without a key is not looked up in the database', async () => {
  const { asked, endings, ended, stream } = open()
  stream('a', 'client:192.0.2.1')
  await endings.checkAll()
  expect([asked, ended]).toEqual([[], []])
  endings.end('client:192.0.2.1', 'KEY_INACTIVE')
  expect(ended).toEqual(['a KEY_INACTIVE'])
})
