import { describe, expect, it } from 'vitest'
import { createReaders, type Kept, type SharedStreams } from './readers.ts'

/** A line whose other side has so many bytes still to take. */
function sinkWith(writableLength = 0) {
  const told: string[] = []
  const sink = {
    writableLength,
    write: (bytes: Buffer | string) => told.push(`${bytes}`),
    end: (bytes?: string) => told.push(`end ${bytes}`),
    destroy: () => told.push('destroyed'),
  }
  return { sink, told }
}

const reader = (client: string, tier = 'shared', id = client): Kept => ({
  ...{ principal: { id, tier }, client, addresses: undefined, after: 0 },
  sink: sinkWith().sink,
})

/** Readers, of whom so many are there of each of these. */
function open(count: number, of: (place: number) => Kept, shared?: SharedStreams) {
  const clock = { ms: 1_000_000 }
  const readers = createReaders(shared, () => clock.ms)
  const all = Array.from({ length: count }, (_, place) => of(place))
  for (const each of all) readers.add(each)
  return { readers, all, clock }
}

/** One of many addresses, in a network of its own. */
const alone = (place: number) => reader(`10.${place % 250}.${Math.floor(place / 250)}.1`)

describe('a place for one more stream', () => {
  it('is there for the tenth of a client without a key, and not for the eleventh', () => {
    const { readers } = open(9, () => reader('192.0.2.1'))
    expect(readers.findRoom(reader('192.0.2.1'))).toEqual({})
    readers.add(reader('192.0.2.1'))
    expect(readers.findRoom(reader('192.0.2.1'))).toEqual({ limit: 10 })
    expect(readers.findRoom(reader('198.51.100.1'))).toEqual({})
  })

  it('comes back when a stream ends, once', () => {
    const { readers, all } = open(10, () => reader('192.0.2.1'))
    for (let time = 0; time < 2; time += 1) if (all[0]) readers.letGo(all[0])
    readers.add(reader('192.0.2.1'))
    expect([readers.findRoom(reader('192.0.2.1')), readers.count()]).toEqual([{ limit: 10 }, 10])
  })

  it('is counted for an address over all its free keys', () => {
    const { readers } = open(25, (place) => reader('192.0.2.1', 'free', `key ${place}`))
    expect(readers.findRoom(reader('192.0.2.1', 'free', 'key 99'))).toEqual({ limit: 25 })
  })

  it('is counted for a paid key wherever it is used, and not for the address', () => {
    const { readers } = open(100, (place) => reader(`192.0.2.${place}`, 'pro', 'paid'))
    expect(readers.findRoom(reader('198.51.100.1', 'pro', 'paid'))).toEqual({ limit: 100 })
    expect(readers.findRoom(reader('192.0.2.1', 'pro', 'another'))).toEqual({})
    expect(readers.findRoom(reader('192.0.2.1'))).toEqual({})
  })

  it('is counted with what the client has open at other servers', () => {
    const others = (subject: string) => (subject === 'from 192.0.2.1' ? 20 : 0)
    const { readers } = open(5, () => reader('192.0.2.1', 'free', 'key'), { others, share: () => undefined })
    expect(readers.findRoom(reader('192.0.2.1', 'free', 'key'))).toEqual({ limit: 25 })
  })

  it('in a full network is taken from the address there that has most: its newest stream', () => {
    // 192.0.2.1 has 24 streams, 76 others of the /24 one each.
    const { readers, all } = open(100, (place) =>
      place < 24 ? reader('192.0.2.1', 'free', `key ${place}`) : reader(`192.0.2.${place}`),
    )
    for (let time = 0; time < 25; time += 1) readers.add(reader('198.51.100.1', 'free', 'elsewhere'))
    expect(readers.findRoom(reader('192.0.2.200'))).toEqual({ spare: { reader: all[23], isOnly: false, waitMs: 60_000 } })
  })

  it('in a full network is not taken for an address that has a stream', () => {
    const { readers } = open(100, (place) =>
      place < 24 ? reader('192.0.2.1', 'free', `key ${place}`) : reader(`192.0.2.${place}`),
    )
    expect(readers.findRoom(reader('192.0.2.50', 'free', 'new key'))).toEqual({ limit: 100 })
  })

  it('in a full network of addresses with one stream each is that of the longest there', () => {
    const { readers, all, clock } = open(101, (place) => reader(place === 0 ? '198.51.100.1' : `192.0.2.${place}`))
    clock.ms += 45_000
    expect(readers.findRoom(reader('192.0.2.200'))).toEqual({ spare: { reader: all[1], isOnly: true, waitMs: 15_000 } })
  })

  it('is there in a network whose streams are all at other servers', () => {
    const others = (subject: string) => (subject === 'within 192.0.2.0/24' ? 100 : 0)
    const { readers } = open(1, () => reader('198.51.100.1'), { others, share: () => undefined })
    expect(readers.findRoom(reader('192.0.2.1'))).toEqual({})
  })
})

describe('a place when all 4,000 are taken by addresses with one stream each', () => {
  it('is that of the longest, in the network that has most', () => {
    const { readers, all, clock } = open(4_000, (place) => (place < 3_998 ? alone(place) : reader(`192.0.2.${place - 3_990}`)))
    clock.ms += 3_600_000
    expect(readers.findRoom(reader('203.0.113.1'))).toEqual({ spare: { reader: all[3_998], isOnly: true, waitMs: 0 } })
    if (all[3_998]) readers.letGo(all[3_998])
    readers.add(reader('203.0.113.1'))
    expect(readers.findRoom(reader('203.0.113.9'))).toMatchObject({ spare: { reader: all[0] } })
  })

  it('is given to an address once a minute, so that it drives nobody out again and again', () => {
    const { readers, clock } = open(4_000, alone)
    expect(readers.findRoom(reader('192.0.2.1'))).toHaveProperty('spare')
    clock.ms += 20_000
    expect(readers.findRoom(reader('192.0.2.1'))).toEqual({ limit: 4_000, waitSeconds: 40 })
    expect(readers.findRoom(reader('192.0.2.2'))).toHaveProperty('spare')
    clock.ms += 40_000
    expect(readers.findRoom(reader('192.0.2.1'))).toHaveProperty('spare')
  })

  it('is given again and again while an address has two: whoever reloads the page keeps a stream', () => {
    const { readers } = open(4_000, (place) => reader(`10.0.${Math.floor(place / 2)}.1`))
    for (let time = 0; time < 5; time += 1)
      expect(readers.findRoom(reader('192.0.2.1'))).toMatchObject({ spare: { isOnly: false } })
  })

  it('is given to the addresses of a /48 256 times a minute', () => {
    const { readers } = open(4_000, alone)
    const rooms = Array.from({ length: 257 }, (_, i) => readers.findRoom(reader(`2001:db8:1:${i.toString(16)}::/64`)))
    expect(rooms.filter((room) => 'spare' in room)).toHaveLength(256)
    expect(rooms.at(-1)).toEqual({ limit: 4_000, waitSeconds: 60 })
  })

  it("is nobody's who has a paid key: strangers keep 100 beside them, and take turns there", () => {
    // Of the one address, 25 streams without a paid key and 4,900 newer ones with some.
    const of = (place: number) => (place < 25 ? reader('198.51.100.1', 'free', `key ${place}`) : alone(place))
    const { readers, all } = open(5_000, (place) =>
      place >= 25 && place < 4_925 ? reader('198.51.100.1', 'pro', `paid ${place % 50}`) : of(place),
    )
    expect(readers.findRoom(reader('192.0.2.1', 'pro', 'one more'))).toEqual({ limit: 4_900 })
    expect(readers.findRoom(reader('192.0.2.1'))).toMatchObject({ spare: { reader: all[24] } })
  })
})

describe('what other servers are told', () => {
  it('are the streams of each client, and not the sums of all, which every server has its own of', () => {
    let tell: (() => ReadonlyMap<string, number>) | undefined
    const shared: SharedStreams = {
      others: () => 0,
      share: (counts) => {
        tell = counts
      },
    }
    open(2, () => reader('192.0.2.1', 'free', 'key'), shared)
    expect(Object.fromEntries(tell?.() ?? [])).toEqual({ 'of key': 2, 'from 192.0.2.1': 2, 'within 192.0.2.0/24': 2 })
  })
})

describe('a reader', () => {
  it('that does not take what is written is let go above 4 MB, and no other with it', () => {
    const [slow, full, quick] = [sinkWith(4 * 1024 * 1024), sinkWith(4 * 1024 * 1024 + 1), sinkWith()]
    const { readers } = open(3, (place) => ({ ...reader('192.0.2.1'), sink: [slow, full, quick][place]?.sink ?? quick.sink }))
    readers.writeEach(({ sink }) => sink.write('news'))
    expect([slow.told, full.told, quick.told, readers.count()]).toEqual([['news'], ['news', 'destroyed'], ['news'], 2])
  })

  it('is told at the end, and counts no more', () => {
    const line = sinkWith()
    const { readers } = open(1, () => ({ ...reader('192.0.2.1'), sink: line.sink }))
    readers.endAll('bye')
    expect([line.told, readers.count()]).toEqual([['end bye'], 0])
  })
})
