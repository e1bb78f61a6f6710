import type { Failure } from '@chainboard/core'
import { type TSchema, Type } from 'typebox'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'

/** One thing that is wrong with an input: where, what stands there, what should. */
export type Problem = { readonly field: string; readonly found: string; readonly wanted: string }

const foundLengthMax = 80
const problemsMax = 100
/** The library stops at 8 otherwise, and an unknown field costs two. */
const libraryErrorsMax = 4 * problemsMax

/** Everything that is wrong with `value`. What is wanted is the schema's `description` where it has one. */
export function findProblems(schema: TSchema, value: unknown, prefix = ''): Problem[] {
  const problems = new Map<string, Problem>()
  Settings.Set({ maxErrors: libraryErrorsMax })
  for (const { keyword, instancePath, schemaPath, params, message } of Value.Errors(schema, value)) {
    if (problems.size >= problemsMax) break
    if (keyword === 'boolean') continue
    const path = instancePath.split('/').slice(1)
    const at = valueAt(schema, schemaPath.split('/').slice(1))
    const requiredProperties = 'requiredProperties' in params ? params.requiredProperties : []
    const additionalProperties = 'additionalProperties' in params ? params.additionalProperties : []
    for (const name of requiredProperties) {
      add(problems, prefix, [...path, name], 'nothing', descriptionOf(valueAt(at, ['properties', name])) ?? 'a value')
    }
    for (const name of additionalProperties)
      add(problems, prefix, [...path, name], 'an unknown field', listNames(at) ?? descriptionOf(at) ?? 'no such field')
    if (requiredProperties.length + additionalProperties.length === 0) {
      add(problems, prefix, path, show(valueAt(value, path)), descriptionOf(at) ?? message)
    }
  }
  return [...problems.values()]
}

/** The problems that a failure `config-invalid` was made with; none of another failure. */
export function problemsOf({ detail: { problems } }: Failure): readonly Problem[] {
  return Array.isArray(problems) ? problems.filter(isProblem) : []
}

const problemShape = Type.Object({ field: Type.String(), found: Type.String(), wanted: Type.String() })
const isProblem = (value: unknown): value is Problem => Value.Check(problemShape, value)

/** `chain.id: found "x", expected a whole number`. */
export function formatProblem({ field, found, wanted }: Problem): string {
  return `${field}: found ${found}, expected ${wanted}`
}

/** A value as JSON, cut to a readable length. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > foundLengthMax ? `${text.slice(0, foundLengthMax)}…` : text
}

function add(problems: Map<string, Problem>, prefix: string, path: readonly string[], found: string, wanted: string): void {
  const field = [...(prefix ? [prefix] : []), ...path].join('.') || 'the file'
  if (!problems.has(field)) problems.set(field, { field, found, wanted })
}

function descriptionOf(schema: unknown): string | undefined {
  const found = valueAt(schema, ['description'])
  return typeof found === 'string' ? found : undefined
}

/** Undefined for an object whose fields are named by the operator. */
function listNames(schema: unknown): string | undefined {
  const properties = valueAt(schema, ['properties'])
  return typeof properties === 'object' && properties !== null ? `one of ${Object.keys(properties).join(', ')}` : undefined
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    value,
  )
}
