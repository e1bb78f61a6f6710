import { mkdtempSync } from 'node:fs'
import { createRandom } from '@chainboard/devnet'
import { attack, clientName } from './attack.ts'
import { closePins } from './close.ts'
import { earlyChoices, newChoices, stubbornChoices } from './pinChoices.ts'
import { openSimWorld } from './simWorld.ts'
const folder = mkdtempSync('/tmp/hDoors.tmp/pin-')
const all = { new: newChoices, habit: stubbornChoices, any: earlyChoices }
const signal = new AbortController().signal
const random = () => createRandom('1').next
for (const job of process.argv.slice(2)) {
  const started = performance.now()
  const [kind = '', a = '', b = ''] = job.split(':')
  if (kind === 'close') {
    const world = await openSimWorld(folder, { users: 10_000, choices: newChoices, random: random() })
    const closed = await closePins(world, { addresses: Number(a), accounts: Number(b), choices: newChoices, hours: 24, signal })
    console.log(job, JSON.stringify(closed), Math.round((performance.now() - started) / 1000), 's')
    await world.store.close()
    continue
  }
  const choices = all[a as 'new']
  const users = Number(b)
  const isShared = kind === 'shared'
  const world = await openSimWorld(folder, { users, choices, random: random(), ...(isShared ? { network: clientName(0) } : {}) })
  const states = await attack(world, { addresses: isShared ? 1 : 10_000, choices, days: [1, 7, 30], isShared, signal, ...(kind === 'one' ? { targets: 1 } : {}) })
  console.log(job, states.map((s) => `${s.days}d tries ${s.tries} opened ${s.opened} avg ${s.expected.toFixed(2)} ${((100 * s.expected) / (kind === 'one' ? 1 : users)).toFixed(3)}%`).join(' | '), Math.round((performance.now() - started) / 1000), 's')
  await world.store.close()
}
