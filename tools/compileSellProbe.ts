// Compiles the probe of sales into server/market/sales/sellProbeCode.ts: `npx node tools/compileSellProbe.ts`. The result is
// committed, so that a server needs no compiler.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compileContracts } from '../devnet/compile.ts'

const folder = resolve(import.meta.dirname, '../server/market/sales')

/** What sellProbeCode.ts has to say. @throws Error with the compiler's own text for any error or warning */
export function buildSellProbeCode(): string {
  const probe = compileContracts(folder).get('SellProbe')
  if (!probe) throw new Error('there is no SellProbe.sol')
  return `// Generated from SellProbe.sol by tools/compileSellProbe.ts. Do not edit.
import type { Hex } from '@chainboard/core'

/** Creation code, to which the token's address and the pool's are added. */
export const sellProbeCode: Hex =
  '${probe.bytecode}'
`
}

if (import.meta.main) writeFileSync(join(folder, 'sellProbeCode.ts'), buildSellProbeCode())
