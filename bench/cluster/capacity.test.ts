import { describe, expect, it } from 'vitest'
import { simulateLag, toCapacity } from './capacity.ts'

describe('the delay of a board', () => {
  it('is that of those who wait before: of ten servers on two cores the last one has it after five readings', () => {
    expect(simulateLag(10, { readMs: 4, cores: 2 })).toEqual({ median: 12, p99: 20 })
    expect(simulateLag(1, { readMs: 4, cores: 2 })).toEqual({ median: 4, p99: 4 })
  })
})

describe('what servers carry', () => {
  const costs = { boardsPerSecond: 1, boardBytes: 50_000, databaseMs: 10, readMs: 4, idleMs: 20, requestMs: 0.5 }
  const machines = {
    databaseCores: 4,
    databaseConnections: 500,
    databaseBytesPerSecond: 100_000_000,
    serverCores: 1,
    loadMax: 0.7,
  }

  it('grows with them as long as nothing is over its limit', () => {
    expect(toCapacity(10, costs, machines)).toEqual({
      servers: 10,
      requestsPerSecond: 13_600,
      databaseShare: 0.025,
      networkShare: 0.005,
      connections: 220,
      lagMs: { median: 8, p99: 12 },
      over: [],
    })
  })

  it('names what breaks, the worst first', () => {
    expect(toCapacity(300, costs, machines).over).toEqual([
      'connections of PostgreSQL',
      'delay of boards',
      'processor of PostgreSQL',
    ])
  })
})
