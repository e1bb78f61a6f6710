// Compiles the probes of sales into server/market/sales/sellProbeCode.ts: `npx node tools/compileSellProbe.ts`. The result is
// committed, so that a server needs no compiler.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ToolchainError } from '../contracts/toolchainError.ts'
import { compileContracts } from '../devnet/compile.ts'

const folder = resolve(import.meta.dirname, '../server/market/sales')

/** What sellProbeCode.ts has to say. @throws ToolchainError with the compiler's own text for any error or warning */
export function buildSellProbeCode(): string {
  const compiled = compileContracts(folder)
  const [probe, holder] = ['SellProbe', 'HolderProbe'].map((name) => compiled.get(name)?.bytecode)
  if (!probe || !holder) throw new ToolchainError('SellProbe.sol or HolderProbe.sol is missing')
  // What creates a contract ends with its first RETURN and INVALID; the contract's own code follows.
  const runtime = holder.slice(holder.indexOf('f3fe') + 4)
  return `// Generated from SellProbe.sol and HolderProbe.sol by tools/compileSellProbe.ts. Do not edit.
import type { Hex } from '@chainboard/core'

/** Creation code, to which the token's address and the pool's are added. */
export const sellProbeCode: Hex =
  '${probe}'

/** Code that a holder gets for one call. */
export const holderProbeCode: Hex =
  '0x${runtime}'
`
}

if (import.meta.main) writeFileSync(join(folder, 'sellProbeCode.ts'), buildSellProbeCode())
