// Loaded before a process's own modules: plants one of the known bugs in them as they are read. The files stay as they are.

import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NotMeasured } from '../notMeasured.ts'
import { plantedBugs } from './plantedBugs.ts'

const root = resolve(import.meta.dirname, '../..')
const wanted = process.env['CHAINBOARD_PLANTED_BUG']
const bug = plantedBugs.find(({ name }) => name === wanted)
if (!bug) throw new NotMeasured(`There is no planted bug "${wanted}"`)
const edits = bug.edits.map((edit) => ({ ...edit, url: pathToFileURL(resolve(root, edit.file)).href }))

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const here = edits.filter((edit) => edit.url === url)
    if (here.length === 0) return loaded
    let source = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source)
    for (const { file, from, to } of here) {
      if (source.split(from).length !== 2)
        throw new NotMeasured(
          `Planting "${bug.name}": expected this text once in ${file}, found ${source.split(from).length - 1}: ${from}`,
        )
      source = source.replace(from, () => to)
    }
    return { ...loaded, source }
  },
})
