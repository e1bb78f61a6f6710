import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { plantedBugs } from './plantedBugs.ts'

const root = resolve(import.meta.dirname, '../..')

it.each(plantedBugs.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit }))))(
  'the place of a planted bug is in the code exactly once: $name',
  ({ file, from }) => expect(readFileSync(resolve(root, file), 'utf8').split(from).length - 1).toBe(1),
)
