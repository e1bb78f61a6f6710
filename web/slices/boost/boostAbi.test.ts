import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boostAbi } from './boostAbi.ts'

type Part = {
  readonly type: string
  readonly name?: string
  readonly inputs: readonly Part[]
  readonly outputs?: readonly Part[]
}

const artifact = join(import.meta.dirname, '../../../contracts/artifacts/TokenBoost.json')
const deployed = (JSON.parse(readFileSync(artifact, 'utf8')) as { abi: readonly Part[] }).abi

/** `function paused() -> bool` */
function toText({ type, name, inputs, outputs = [] }: Part): string {
  const typesOf = (parts: readonly Part[]) => parts.map((part) => part.type).join()
  return `${type} ${name}(${typesOf(inputs)}) -> ${typesOf(outputs)}`
}

test('the page calls the contract that is deployed', () => {
  const known = deployed.map(toText)
  expect((boostAbi as unknown as readonly Part[]).map(toText).filter((text) => !known.includes(text))).toEqual([])
})
