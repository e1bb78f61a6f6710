import type { Devnet } from '@chainboard/devnet'

const slot0 = '0x3850c7bd'

/** The tick of a pool of the devnet now: the second word of its `slot0()`, an int24. */
export async function readTick({ rpc }: Pick<Devnet, 'rpc'>, pool: string): Promise<number> {
  const answer = await rpc<string>('eth_call', [{ to: pool, data: slot0 }, 'latest'])
  return Number(BigInt.asIntN(24, BigInt(`0x${answer.slice(2 + 64, 2 + 128)}`)))
}
