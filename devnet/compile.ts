// Compiles contracts/*.sol into artifacts/*.json: `npx node devnet/compile.ts`. The results are committed, so that a start needs no compiler.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export type Artifact = { readonly note: string; readonly abi: readonly unknown[]; readonly bytecode: string }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>
}

const folder = import.meta.dirname

/**
 * Compiles every contract of a folder: the devnet's when none is named.
 * @returns artifact of each contract by its file's name
 * @throws Error with the compiler's own text for any error or warning
 */
export function compileContracts(sources = join(folder, 'contracts')): Map<string, Artifact> {
  const require = createRequire(import.meta.url)
  const solc = require('solc') as { compile(input: string): string; version(): string }
  const names = readdirSync(sources).filter((name) => name.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(names.map((name) => [name, { content: readFileSync(join(sources, name), 'utf8') }])),
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  const note = `Generated from contracts/ by devnet/compile.ts with solc ${solc.version()}. Do not edit.`
  return new Map(
    names.map((file) => {
      const name = file.replace('.sol', '')
      const contract = output.contracts[file]?.[name]
      if (!contract) throw new Error(`contracts/${file} has no contract named ${name}`)
      return [name, { note, abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }]
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
