import { DeploymentError } from './deploymentError.ts'

/** Where the boost contract stands, as a network file has it. */
export type BoostRecord = { readonly address: string; readonly startBlock: number }

/** The line of a network file that names the boost contract. */
export function formatBoost({ address, startBlock }: BoostRecord): string {
  return `  "boost": { "address": "${address}", "startBlock": ${startBlock} },`
}

/**
 * The text of a network file with its boost contract, new or in the place of the last one; everything else stays as it is written.
 * @throws DeploymentError when the file has no line for it to follow
 */
export function recordBoost(text: string, record: BoostRecord): string {
  const line = formatBoost(record)
  const written = /^ {2}"boost": \{[^}]*\},?$/m
  if (written.test(text)) return text.replace(written, line)
  const usdc = /^ {2}"usdc": \{[^}]*\},$/m.exec(text)
  if (!usdc) throw new DeploymentError(`The network file has no line "usdc" to follow. Add:\n${line}`)
  const end = usdc.index + usdc[0].length
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}
