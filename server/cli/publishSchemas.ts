// Writes the JSON Schemas of the operator's files into docs/schemas/, for editors: `npx node server/cli/publishSchemas.ts`. The results are
// committed. Made of the definitions that a start checks the files with.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tokenListFileSchema, tokenListSchema } from '../market/tokenList.ts'
import { networkFileSchema } from '../networkFileSchema.ts'

const draft = 'http://json-schema.org/draft-07/schema#'

/** The published schemas by the name of their file. */
export const publishedSchemas = {
  'network-file.schema.json': { $schema: draft, title: 'A network file of Chainboard', ...networkFileSchema },
  'token-list.schema.json': {
    $schema: draft,
    title: 'A token list of Chainboard',
    anyOf: [tokenListFileSchema, tokenListSchema],
  },
} as const

/** A schema as its file has it. */
function toSchemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}

if (import.meta.main) {
  const folder = resolve(import.meta.dirname, '../..', 'docs', 'schemas')
  mkdirSync(folder, { recursive: true })
  for (const [name, schema] of Object.entries(publishedSchemas)) writeFileSync(join(folder, name), toSchemaText(schema))
}
