import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createListLook } from './followListFiles.ts'
import { createLiveList, type LiveList, type LiveListHolder } from './market/liveList.ts'
import { toTokenList } from './market/tokenList.ts'
import { digestOf, readListTexts } from './parseTokenList.ts'
import { listed } from './testing/market.ts'

const [usdc, alpha] = listed
const extra = { ...usdc, symbol: 'NEW', name: 'A new one', address: `0x${'Ab'.repeat(20)}` }
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...alpha, symbol: `T${i}`, address: `0x${String(i).padStart(40, '0')}` }))

let dir: string
let list: LiveListHolder
let look: () => Promise<void>
let changes: number
let lines: [string, object][]
const write = (value: unknown, name = 'assets.json') =>
  writeFileSync(join(dir, name), typeof value === 'string' ? value : JSON.stringify(value))
const symbols = () => list.current().tokens.map(({ symbol }) => symbol)
const problems = () => list.status().refused?.problems
/** As two looks with their pause between them. */
const lookTwice = async () => {
  await look()
  await look()
}

function open(entries: readonly object[], holdOf?: LiveList['holdOf']) {
  write(entries)
  write([], 'highlighted.json')
  list = createLiveList(toTokenList(entries as never, []), { nowMs: () => 1_000, ...(holdOf && { holdOf }) })
  list.watch(() => (changes += 1))
  const tell = (facts: object, text: string) => void lines.push([text, facts])
  const log = { info: tell, warn: tell, error: tell }
  look = createListLook({ files: { dir, digest: digestOf(readListTexts(dir)) }, shownDir: 'networks/lists/test', list, log })
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'chainboard-list-'))
  changes = 0
  lines = []
  open(listed)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('the files of a token list', () => {
  it('change nothing, and tell nothing, while they are as at the start', async () => {
    await lookTwice()
    write(listed)
    await lookTwice()
    expect([changes, lines, list.status().refused]).toEqual([0, [], undefined])
  })

  it('are taken in when they were the same in two looks, and the log says what changed', async () => {
    await lookTwice()
    write([...listed.slice(1), extra])
    await look()
    expect(symbols()).toContain('USDC')
    await look()
    expect(symbols()).toEqual(['ALPHA', 'WNAT', 'BETA', 'THIN', 'LONE', 'NEW'])
    expect(list.find(`0x${'ab'.repeat(20)}`)?.symbol).toBe('NEW')
    expect(changes).toBe(1)
    expect(lines).toEqual([
      ['The changed token list is in use', { tokens: 6, added: 1, removed: 1, addresses: [extra.address, usdc?.address] }],
    ])
  })

  it('are taken in when they changed between the start and the first look', async () => {
    write([...listed, extra])
    await lookTwice()
    expect(symbols()).toContain('NEW')
  })

  it('are not read while an editor is between two writes', async () => {
    await lookTwice()
    const text = JSON.stringify([...listed, extra])
    write(text.slice(0, 300))
    await look()
    write(text)
    await look()
    expect([lines, problems()]).toEqual([[], undefined])
    await look()
    expect(symbols()).toContain('NEW')
  })

  it('are taken in when another file takes their place that has the same length and time', async () => {
    const path = join(dir, 'assets.json')
    utimesSync(path, 1_000, 1_000)
    await lookTwice()
    write(JSON.stringify(listed).replace('"ALPHA"', '"OMEGA"'), 'next')
    utimesSync(join(dir, 'next'), 1_000, 1_000)
    renameSync(join(dir, 'next'), path)
    await lookTwice()
    expect(symbols()[1]).toBe('OMEGA')
  })

  it.each([
    ['half a file', JSON.stringify(listed).slice(0, 40), ['assets.json', expect.stringMatching(/^not JSON \(/), 'JSON']],
    ['an empty one', '', ['assets.json', 'not JSON (Unexpected end of JSON input)', 'JSON']],
    [
      'an address twice',
      [...listed, { ...usdc, address: usdc?.address.toUpperCase().replace('0X', '0x') }],
      ['assets.json.6.address', `"0x${'10'.repeat(20)}"`, 'an address that entry 0 does not have'],
    ],
    [
      'decimals that no token has',
      [...listed.slice(1), { ...usdc, decimals: 255 }],
      ['assets.json.5.decimals', '255', 'a whole number from 0 to 77'],
    ],
    ['a list of 100,000 tokens', many(100_000), ['assets.json', '100000 tokens', 'a list of at most 50000 tokens']],
  ])('leave the list as it is when they hold %s, say why, and once in the log', async (_, broken, [field, found, wanted]) => {
    await lookTwice()
    write(broken)
    await lookTwice()
    await lookTwice()
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'WNAT', 'BETA', 'THIN', 'LONE'])
    expect(problems()).toEqual([{ field, found, wanted }])
    expect(changes).toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]?.[0]).toBe('The changed token list was refused: the server keeps the previous one')
    // Written again, and as wrong as before.
    write(broken)
    await lookTwice()
    expect(lines).toHaveLength(1)
    write(listed)
    await lookTwice()
    expect([problems(), changes]).toEqual([undefined, 0])
    expect(lines[1]?.[0]).toBe('The token list is back to what it was')
  })

  it('leave the list as it is while one of them is gone, without the path of this machine in the reason', async () => {
    await lookTwice()
    rmSync(join(dir, 'highlighted.json'))
    await lookTwice()
    expect(problems()).toEqual([
      { field: 'highlighted.json', found: 'no readable file', wanted: 'a JSON file at networks/lists/test/highlighted.json' },
    ])
    write([], 'highlighted.json')
    await lookTwice()
    expect(problems()).toBeUndefined()
  })

  it('are not taken when a file of over 64 MB is in their place, or what would keep a reader waiting', async () => {
    await lookTwice()
    write(' '.repeat(67_108_865))
    await lookTwice()
    expect(problems()).toEqual([{ field: 'assets.json', found: '67108865 bytes', wanted: 'at most 67108864' }])
    rmSync(join(dir, 'assets.json'))
    execFileSync('mkfifo', [join(dir, 'assets.json')])
    await lookTwice()
    expect(problems()?.[0]?.found).toBe('no readable file')
    expect(symbols()).toHaveLength(6)
  })

  it('wait with a featured token until the list has it', async () => {
    await lookTwice()
    write([extra.address], 'highlighted.json')
    await lookTwice()
    expect(problems()?.[0]).toMatchObject({ field: 'highlighted.json.0', wanted: 'the address of a token in assets.json' })
    write([...listed, extra])
    await lookTwice()
    expect(list.current().highlighted.map(({ symbol }) => symbol)).toEqual(['NEW'])
    expect(problems()).toBeUndefined()
  })
})

describe('a list that loses tokens', () => {
  it.each([
    [120, 109, '11 of the tokens before', 'at most 12 of 120'],
    [120, 20, '100 of the tokens before', 'at most 12 of 120'],
    [2_000, 1_900, '100 of the tokens before', 'at most 50 of 2000'],
    [6, 0, '6 of the tokens before', 'at most 5 of 6'],
    [3, 0, '3 of the tokens before', 'at most 2 of 3'],
    [6, 1, '5 of the tokens before', 'at most 5 of 6'],
  ])('from %i to %i of them', async (before, after, found, wanted) => {
    open(many(before))
    await lookTwice()
    write(many(after))
    await lookTwice()
    const isTaken = [109, 1].includes(after)
    expect(list.current().tokens).toHaveLength(isTaken ? after : before)
    expect(problems()).toEqual(
      isTaken
        ? undefined
        : [
            {
              field: 'assets.json',
              found: `a list without ${found}`,
              wanted: `${wanted} tokens gone at once; a restart takes the list as it is`,
            },
          ],
    )
  })
})

describe('where the index has the pools of the listed tokens alone', () => {
  it('shows names and added tokens live, hides what is removed, and names added tokens until all of their figures are there', async () => {
    const first = new Set(listed.map(({ address }) => address))
    open(listed, (token) => (first.has(token) ? 'all' : 'none'))
    await lookTwice()
    write([...listed.slice(2), { ...alpha, name: 'Alpha of the new name' }, extra])
    write([extra.address, alpha?.address], 'highlighted.json')
    await lookTwice()
    expect(symbols()).toEqual(['WNAT', 'BETA', 'THIN', 'LONE', 'ALPHA', 'NEW'])
    expect(list.current().tokens.at(-2)?.name).toBe('Alpha of the new name')
    expect(list.current().highlighted.map(({ symbol }) => symbol)).toEqual(['NEW', 'ALPHA'])
    expect(list.complete().tokens.map(({ symbol }) => symbol)).toEqual(['WNAT', 'BETA', 'THIN', 'LONE', 'ALPHA'])
    expect(list.complete().highlighted.map(({ symbol }) => symbol)).toEqual(['ALPHA'])
    expect(list.status().beingRead.map(({ symbol }) => symbol)).toEqual(['NEW'])
    expect(lines[1]).toEqual([
      'The index lacks pools of these tokens: the server reads them now and then shows the figures that need them',
      { count: 1, addresses: [extra.address] },
    ])
    // A token of the start comes back at once.
    write(listed)
    write([], 'highlighted.json')
    await lookTwice()
    expect(symbols()).toContain('USDC')
    expect(list.status().beingRead).toEqual([])
  })
})
