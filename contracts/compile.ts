// Compiles TokenBoost.sol into artifacts/TokenBoost.json: `npx node contracts/compile.ts`. The result is committed, so that whoever
// deploys needs no compiler.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { solcSettings } from './solcSettings.ts'

/** A part of a parsed source. `src` is where it stands: `offset:length:file`, in bytes. */
export type SyntaxNode = { readonly nodeType: string; readonly src: string } & Readonly<Record<string, unknown>>

type Compiled = { readonly abi: readonly unknown[]; readonly bytecode: string; readonly runtimeBytecode: string }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<
    string,
    Record<string, { abi: unknown[]; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >
  sources?: Record<string, { ast: SyntaxNode }>
}

const file = 'TokenBoost.sol'
const require = createRequire(import.meta.url)

/** The contract's source as it is committed. */
export function readSource(): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}

/**
 * Compiles a text in the place of TokenBoost.sol. A `trial` is quick: nothing is optimized, and warnings are let pass.
 * @throws Error with the compiler's own text for any error or warning
 */
export function compileTokenBoost(source = readSource(), { trial = false } = {}): Compiled {
  const settings = trial ? { ...solcSettings, optimizer: { enabled: false } } : solcSettings
  const outputSelection = { [file]: { TokenBoost: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  const { contracts } = runSolc(source, { ...settings, outputSelection }, trial)
  const contract = contracts?.[file]?.['TokenBoost']
  if (!contract) throw new Error(`${file} has no contract named TokenBoost`)
  const { bytecode, deployedBytecode } = contract.evm
  return { abi: contract.abi, bytecode: `0x${bytecode.object}`, runtimeBytecode: `0x${deployedBytecode.object}` }
}

/** The syntax tree of a text in the place of TokenBoost.sol. @throws Error with the compiler's own text */
export function parseTokenBoost(source = readSource()): SyntaxNode {
  const { sources } = runSolc(source, { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }, true)
  const tree = sources?.[file]?.ast
  if (!tree) throw new Error(`${file} has no syntax tree`)
  return tree
}

function runSolc(source: string, settings: object, trial = false): Output {
  const solc = require('solc') as { compile(input: string, callbacks: object): string }
  const input = { language: 'Solidity', sources: { [file]: { content: source } }, settings }
  const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as Output
  const errors = (output.errors ?? []).filter(({ severity }) => !trial || severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return output
}

/** What artifacts/TokenBoost.json holds. */
export function buildArtifact() {
  const { version } = require('solc') as { version(): string }
  const { abi, bytecode } = compileTokenBoost()
  return { note: `Generated from ${file} by contracts/compile.ts with solc ${version()}. Do not edit.`, abi, bytecode }
}

if (import.meta.main) {
  mkdirSync(join(import.meta.dirname, 'artifacts'), { recursive: true })
  const artifact = buildArtifact()
  writeFileSync(join(import.meta.dirname, 'artifacts', 'TokenBoost.json'), `${JSON.stringify(artifact, null, 2)}\n`)
  console.log(`artifacts/TokenBoost.json: ${(artifact.bytecode.length - 2) / 2} bytes`)
}
