// Compiles TokenBoost.sol into artifacts/TokenBoost.json: `npx node contracts/compile.ts`. The result is committed, so that whoever
// deploys needs no compiler.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledContract, follow, readContract, runSolc, solcFullVersion } from './runSolc.ts'
import { solcSettings } from './solcSettings.ts'
import { ToolchainError } from './toolchainError.ts'
import { isSyntaxNode, type SyntaxNode } from './walkSyntax.ts'

const file = 'TokenBoost.sol'

/** The contract's source as it is committed. */
export function readSource(): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}

/**
 * Compiles a text in the place of TokenBoost.sol. A `trial` is quick: nothing is optimized, and warnings are let pass.
 * @throws ToolchainError with the compiler's own text for any error or warning
 */
export function compileTokenBoost(source = readSource(), { trial = false } = {}): CompiledContract {
  const settings = trial ? { ...solcSettings, optimizer: { enabled: false } } : solcSettings
  const outputSelection = { [file]: { TokenBoost: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  return readContract(runSolc({ [file]: source }, { ...settings, outputSelection }, trial), file, 'TokenBoost')
}

/** The syntax tree of a text in the place of TokenBoost.sol. @throws ToolchainError with the compiler's own text */
export function parseTokenBoost(source = readSource()): SyntaxNode {
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const tree = follow(runSolc({ [file]: source }, settings, true), 'sources', file, 'ast')
  if (!isSyntaxNode(tree)) throw new ToolchainError(`${file} has no syntax tree`)
  return tree
}

/** What artifacts/TokenBoost.json holds. */
export function buildArtifact() {
  const { abi, bytecode } = compileTokenBoost()
  return { note: `Generated from ${file} by contracts/compile.ts with solc ${solcFullVersion}. Do not edit.`, abi, bytecode }
}

if (import.meta.main) {
  mkdirSync(join(import.meta.dirname, 'artifacts'), { recursive: true })
  const artifact = buildArtifact()
  writeFileSync(join(import.meta.dirname, 'artifacts', 'TokenBoost.json'), `${JSON.stringify(artifact, null, 2)}\n`)
  console.log(`artifacts/TokenBoost.json: ${(artifact.bytecode.length - 2) / 2} bytes`)
}
