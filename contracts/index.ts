import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** The boost contract as it is deployed: artifacts/TokenBoost.json, which compile.ts makes. */
export function readTokenBoost(): { readonly abi: Abi; readonly bytecode: Hex } {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'artifacts', 'TokenBoost.json'), 'utf8'))
}
