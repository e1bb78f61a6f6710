/** What one server, and PostgreSQL for it, cost. Measured by the trials. CPU in milliseconds of one core. */
export type Costs = {
  /** Boards a second. */
  readonly boardsPerSecond: number
  /** Of a board, packed. */
  readonly boardBytes: number
  /** CPU of PostgreSQL for one server in a second: it reads boards, and looks every second. */
  readonly databaseMs: number
  /** Until PostgreSQL has handed one board to one server, while it does nothing else. */
  readonly readMs: number
  /** CPU of a server without visitors in a second. */
  readonly idleMs: number
  /** CPU of a server for one request. */
  readonly requestMs: number
}

/** What there is. */
export type Machines = {
  /** Cores of PostgreSQL that boards may use. */
  readonly databaseCores: number
  readonly databaseConnections: number
  /** Bytes a second out of the machine of PostgreSQL. */
  readonly databaseBytesPerSecond: number
  /** Cores of a server that its main thread can use: one. */
  readonly serverCores: number
  /** How far a core may be used before requests wait. */
  readonly loadMax: number
}

/** What so many servers can do, and what that takes. Shares are of 1. */
export type Capacity = {
  readonly servers: number
  readonly requestsPerSecond: number
  readonly databaseShare: number
  readonly networkShare: number
  readonly connections: number
  /** Until half of the servers, and all but one in a hundred, have a board. */
  readonly lagMs: { readonly median: number; readonly p99: number }
  /** What is over its limit, the worst first. */
  readonly over: readonly string[]
}

/** Of each server: two pools of ten, the election, GraphQL. */
export const connectionsEach = 22
/** What a board may take at the 99th percentile. */
const lagMsMax = 250

/** Works out what so many servers carry. Pure. */
export function toCapacity(servers: number, costs: Costs, machines: Machines): Capacity {
  const { boardsPerSecond, boardBytes, databaseMs, readMs, idleMs, requestMs } = costs
  const databaseShare = (servers * databaseMs) / (machines.databaseCores * 1_000)
  const networkShare = (servers * boardBytes * boardsPerSecond) / machines.databaseBytesPerSecond
  const usableMs = Math.max(0, machines.serverCores * machines.loadMax * 1_000 - idleMs)
  const lagMs = simulateLag(servers, { readMs, cores: machines.databaseCores })
  const uses: readonly (readonly [string, number])[] = [
    ['connections of PostgreSQL', (servers * connectionsEach) / machines.databaseConnections],
    ['processor of PostgreSQL', databaseShare / machines.loadMax],
    ['network of PostgreSQL', networkShare / machines.loadMax],
    ['delay of boards', lagMs.p99 / lagMsMax],
  ]
  return {
    servers,
    requestsPerSecond: (servers * usableMs) / requestMs,
    databaseShare,
    networkShare,
    connections: servers * connectionsEach,
    lagMs,
    over: uses
      .filter(([, share]) => share > 1)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name]) => name),
  }
}

/**
 * All servers ask for the same board at the same moment. PostgreSQL serves as many at once as it has cores, one after the other. Pure.
 * @returns milliseconds until half of them, and all but one in a hundred, have it
 */
export function simulateLag(
  servers: number,
  { readMs, cores }: { readonly readMs: number; readonly cores: number },
): Capacity['lagMs'] {
  const freeAtMs = Array.from({ length: cores }, () => 0)
  const doneMs: number[] = []
  for (let i = 0; i < servers; i += 1) {
    const core = freeAtMs.indexOf(Math.min(...freeAtMs))
    const endMs = (freeAtMs[core] ?? 0) + readMs
    freeAtMs[core] = endMs
    doneMs.push(endMs)
  }
  const at = (part: number) => doneMs[Math.min(servers, Math.ceil(servers * part)) - 1] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}
