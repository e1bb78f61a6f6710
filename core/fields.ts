/** What something unknown has by its names, as JSON from outside or an error. None of the values is checked. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value; none where it has none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}
