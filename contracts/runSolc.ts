import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import solc from 'solc'
import { ToolchainError } from './toolchainError.ts'

const require = createRequire(import.meta.url)

/** Code of one contract: its interface, and its bytes in hexadecimal, to deploy it and as it is on the chain. */
export type CompiledContract = { readonly abi: readonly unknown[]; readonly bytecode: string; readonly runtimeBytecode: string }

/** The compiler's answer. */
export type SolcOutput = Readonly<Record<string, unknown>>

/** The version of the compiler that `runSolc` runs, with its commit. */
export const solcFullVersion = solc.version()

/**
 * Runs the Solidity compiler; imports are found as packages.
 * @param sources texts by their files' names
 * @param trial lets warnings pass
 * @throws ToolchainError with the compiler's own text for any error or warning
 */
export function runSolc(sources: Readonly<Record<string, string>>, settings: object, trial = false): SolcOutput {
  const contents = Object.entries(sources).map(([name, content]) => [name, { content }] as const)
  const input = { language: 'Solidity', sources: Object.fromEntries(contents), settings }
  const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const { errors = [] } = output
  const refusals = (Array.isArray(errors) ? errors : [errors]).filter((error) => !trial || follow(error, 'severity') === 'error')
  if (refusals.length > 0) throw new ToolchainError(refusals.map((error) => follow(error, 'formattedMessage')).join('\n'))
  return output
}

/** One contract out of the compiler's answer. @throws ToolchainError when the file has none of this name, or its code was not asked for */
export function readContract(output: SolcOutput, file: string, name: string): CompiledContract {
  const found = (...path: readonly string[]) => follow(output, 'contracts', file, name, ...path)
  const abi = found('abi')
  const [bytecode, runtime = ''] = [found('evm', 'bytecode', 'object'), found('evm', 'deployedBytecode', 'object')]
  if (!Array.isArray(abi) || typeof bytecode !== 'string') throw new ToolchainError(`${file} has no contract named ${name}`)
  return { abi, bytecode: `0x${bytecode}`, runtimeBytecode: `0x${runtime}` }
}

/** What is at the end of a path of names. Absent where the path breaks off. */
export function follow(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), value)
}
