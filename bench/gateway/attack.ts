import { type Static, Type } from 'typebox'

/** Attacks on the gateway. `none`: the site alone. */
export const attackNames = ['none', 'loops', 'batches', 'huge', 'long', 'logs', 'sockets'] as const
export type AttackName = (typeof attackNames)[number]

/** Contracts of the attack: one runs until its gas is gone, two have answers over and just under what the gateway lets through. */
export const contracts = {
  /** JUMPDEST PUSH1 0 JUMP */
  loop: { address: '0x00000000000000000000000000000000deadbeef', code: '0x5b600056' },
  /** PUSH3 0x0fffff PUSH1 0 RETURN */
  huge: { address: '0x00000000000000000000000000000000deadbee5', code: '0x620fffff6000f3' },
  /** PUSH3 0x01d4c0 PUSH1 0 RETURN */
  long: { address: '0x00000000000000000000000000000000deadbee6', code: '0x6201d4c06000f3' },
} as const

/** How long, and from how many addresses, an attack is led. */
export type Orders = {
  readonly url: string
  readonly name: AttackName
  readonly ms: number
  /** Connections that call one call after the other; or idle ones. */
  readonly connections: number
  readonly addresses: number
}

/** What came of the calls of an attack: answers by status, those that were JSON-RPC errors, and bytes of answers. */
export const ledSchema = Type.Object({
  statuses: Type.Record(Type.String(), Type.Integer()),
  errors: Type.Integer(),
  bytes: Type.Integer(),
})
export type Led = Static<typeof ledSchema>

/** The bodies that an attack sends in turn. `place` makes each differ from the others, so that none is answered for another. Pure. */
export function toBody(name: AttackName, place: number): string {
  const call = (method: string, params: readonly unknown[], id = place) => ({ jsonrpc: '2.0', id, method, params })
  const data = `0x${place.toString(16).padStart(64, '0')}`
  const loop = (id: number) => call('eth_call', [{ to: contracts.loop.address, data, gas: '0x1c9c380' }, 'latest'], id)
  switch (name) {
    case 'batches':
      return JSON.stringify(Array.from({ length: 20 }, (_, id) => loop(id)))
    case 'huge':
    case 'long':
      return JSON.stringify(call('eth_call', [{ to: contracts[name].address, data }, 'latest']))
    case 'logs': {
      const from = place % 1_000
      const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${(from + 999).toString(16)}` }
      return JSON.stringify(call('eth_getLogs', [{ address: contracts.loop.address, ...range }]))
    }
    default:
      return JSON.stringify(loop(place))
  }
}

/** An IPv4 address of a network that no other place has. Pure. */
export const addressOf = (place: number): string => `10.${place >> 8}.${place % 256}.1`
