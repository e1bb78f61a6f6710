import { Failure } from '@chainboard/core'
import type { GraphQLError } from 'graphql'

export type WireError = { readonly message: string; readonly locations?: readonly { line: number; column: number }[] }

/** The library's words for what The Graph has its own: clients look for these. */
const translations: readonly [RegExp, (...parts: string[]) => string][] = [
  [/^Cannot query field "(\w+)" on type "(\w+)"/, (field, type) => `Type \`${type}\` has no field \`${field}\``],
  [
    /^Argument "(\w+)" has invalid value ([\s\S]*)\.$/,
    (name, value) => `Invalid value provided for argument \`${name}\`: ${value}`,
  ],
  [
    /^Variable "\$(\w+)" got invalid value ([\s\S]*)$/,
    (name, rest) => `Invalid value provided for argument \`${name}\`: ${rest}`,
  ],
  [
    /^Variable "\$(\w+)" of required type .* was not provided\.$/,
    (name) => `No value provided for required variable \`${name}\``,
  ],
  [/^Field "\w+" argument "(\w+)" of type .* is required/, (name) => `No value provided for required argument: \`${name}\``],
  [/^Unknown operation named "(.*)"\.$/, (name) => `Operation name not found \`${name}\``],
  [/^(Must provide operation name|Could not determine what operation to execute)/, () => 'Operation name required'],
]

const messageMax = 500

/** An error as it goes out: a message and, where one is known, the place in the query. What is our own bug is one sentence. */
export function toWireError(error: unknown): WireError {
  const cause = causeOf(error)
  const message = isForCaller(cause) ? translate(cause.message) : 'Store error: the query could not be run'
  const placed = [error, cause].filter(isGraphQLError).find(({ locations }) => locations)
  return { message: cut(message), ...(placed?.locations?.length && { locations: placed.locations }) }
}

/** Whether an error is neither the caller's nor the world's, and belongs into the log. */
export function isBug(error: unknown): boolean {
  return !isForCaller(causeOf(error))
}

/** Whether the database failed. */
export function isOfStore(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof Failure && cause.code.startsWith('store-')
}

function causeOf(error: unknown): unknown {
  return isGraphQLError(error) ? (error.originalError ?? error) : error
}

function isForCaller(cause: unknown): cause is Error {
  return cause instanceof Failure || isGraphQLError(cause)
}

/** By name: a test runner may load the library twice, for the server of GraphQL and for us. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError'
}

/** The body of an answer that is nothing but an error. */
export function errorBody(message: string): string {
  return JSON.stringify({ errors: [{ message }] })
}

function translate(message: string): string {
  for (const [pattern, say] of translations) {
    const found = pattern.exec(message)
    if (found) return say(...found.slice(1))
  }
  return message
}

function cut(text: string): string {
  return text.length > messageMax ? `${text.slice(0, messageMax)}…` : text
}
