import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Child } from './children.ts'
import { type Patience, within } from './waiting.ts'

/**
 * The next message of a process that has the shape; others are passed over. Call it before the process is asked for it.
 * @throws like `within`, also when the process ends before
 */
export function receive<S extends TSchema>(
  { process: child, gone }: Child,
  schema: S,
  patience: Omit<Patience, 'gone'>,
): Promise<Static<S>> {
  const { promise, resolve } = Promise.withResolvers<Static<S>>()
  const hear = (message: unknown) => {
    if (!Value.Check(schema, message)) return
    child.off('message', hear)
    resolve(message)
  }
  child.on('message', hear)
  return within(promise, { ...patience, gone })
}
