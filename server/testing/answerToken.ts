import type { Hex } from '@chainboard/core'
import type { TokenFacts } from '../chain/chain.ts'

const getters = {
  '0x95d89b41': 'symbol',
  '0x06fdde03': 'name',
  '0x313ce567': 'decimals',
  '0x18160ddd': 'totalSupplyRaw',
} as const

/** What a token's contract answers to a call; nothing where there is none, or no such function. Texts are `bytes32`, as of old tokens. */
export function answerToken(facts: TokenFacts | undefined, data: string): Hex {
  if (!facts || !(data in getters)) return '0x'
  const said = facts[getters[data as keyof typeof getters]]
  if (said === undefined) return '0x'
  if (typeof said === 'string') return `0x${Buffer.from(said).toString('hex').padEnd(64, '0')}`
  return `0x${said.toString(16).padStart(64, '0')}`
}
