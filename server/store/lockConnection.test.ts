import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { inUse, makeSessionName } from './lockConnection.ts'

describe('the name of a session that holds locks', () => {
  it('is another one each time, says where it is from, and is never cut by PostgreSQL', () => {
    const names = [makeSessionName(), makeSessionName()]
    expect(new Set(names).size).toBe(2)
    for (const name of names) {
      expect(name).toContain(`chainboard ${hostname().slice(0, 24)} ${process.pid} `)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
    }
  })
})

describe('a database that another server uses', () => {
  const holder = { pid: 77, name: 'chainboard a host of 2 words 4321 0123abcd', since: '2026-11-27T02:00:00Z' }

  it('is named with the process that has it, not with the session of the database', () => {
    const { code, message } = inUse('postgres://ann:secret@db:5432/board?sslmode=require', holder)
    expect([code, message]).toEqual([
      'store-in-use',
      'Another Chainboard server uses the database "board" (pid 4321 on a host of 2 words, since 2026-11-27T02:00:00Z). Stop all servers on it first.',
    ])
  })

  it('is named without its password, also where the address leaves out the host', () => {
    const { message } = inUse('postgres://ann:secret@/board', holder)
    expect(message).toContain('the database "board"')
    expect(message).not.toContain('secret')
  })

  it('is used by somebody unknown where the session was renamed', () => {
    expect(inUse('postgres://db/board', { ...holder, name: 'psql' }).message).toContain('(pid unknown on unknown, since 2026')
  })
})
