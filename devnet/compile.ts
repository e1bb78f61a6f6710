// Compiles contracts/*.sol into artifacts/*.json: `npx node devnet/compile.ts`. The results are committed, so that a start needs no compiler.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readContract, runSolc, solcFullVersion } from '../contracts/runSolc.ts'

export type Artifact = { readonly note: string; readonly abi: readonly unknown[]; readonly bytecode: string }

const folder = import.meta.dirname

/**
 * Compiles every contract of a folder: the devnet's when none is named.
 * @returns artifact of each contract by its file's name
 * @throws ToolchainError with the compiler's own text for any error or warning
 */
export function compileContracts(sources = join(folder, 'contracts')): Map<string, Artifact> {
  const names = readdirSync(sources).filter((name) => name.endsWith('.sol'))
  const texts = names.map((name) => [name, readFileSync(join(sources, name), 'utf8')] as const)
  const output = runSolc(Object.fromEntries(texts), {
    evmVersion: 'paris',
    optimizer: { enabled: true, runs: 10_000 },
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  })
  const note = `Generated from contracts/ by devnet/compile.ts with solc ${solcFullVersion}. Do not edit.`
  return new Map(
    names.map((file) => {
      const name = file.replace('.sol', '')
      const { abi, bytecode } = readContract(output, file, name)
      return [name, { note, abi, bytecode }]
    }),
  )
}

if (import.meta.main) {
  mkdirSync(join(folder, 'artifacts'), { recursive: true })
  for (const [name, artifact] of compileContracts()) {
    writeFileSync(join(folder, 'artifacts', `${name}.json`), `${JSON.stringify(artifact, null, 2)}\n`)
    console.log(`artifacts/${name}.json: ${(artifact.bytecode.length - 2) / 2} bytes`)
  }
}
