/** A field of something unknown, as of JSON from outside; undefined where there is none, and of what has no fields. */
export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
