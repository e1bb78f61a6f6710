import { readFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { NotMeasured } from './notMeasured.ts'

/** A value that came from outside, once it has the shape. @param what names it in the error @throws NotMeasured naming the first difference */
export function checkShape<S extends TSchema>(schema: S, value: unknown, what: string): Static<S> {
  if (Value.Check(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  throw new NotMeasured(`${what} ${first?.instancePath || 'as a whole'} ${first?.message ?? 'has another shape'}`)
}

/** JSON of the shape. @throws NotMeasured like `checkShape`, and SyntaxError */
export function parseJson<S extends TSchema>(schema: S, text: string, what: string): Static<S> {
  return checkShape(schema, JSON.parse(text), what)
}

/** A file of JSON of the shape. @throws like `parseJson` */
export function readJson<S extends TSchema>(schema: S, path: string): Static<S> {
  return parseJson(schema, readFileSync(path, 'utf8'), path)
}

/** What a server answers to a GET, as JSON of the shape. @throws NotMeasured for another status or shape */
export async function fetchJson<S extends TSchema>(schema: S, url: string): Promise<Static<S>> {
  const answer = await fetch(url)
  if (!answer.ok) throw new NotMeasured(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return checkShape(schema, await answer.json(), url)
}
