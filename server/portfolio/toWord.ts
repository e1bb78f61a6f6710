import type { ViewAnswer } from '../chain/callMany.ts'

/** An answer that is one 32-byte number and nothing else; undefined for every other one, which no token gives. */
export function toWord(answer: ViewAnswer): bigint | undefined {
  return answer && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined
}
