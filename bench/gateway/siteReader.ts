// Reads the site as its visitors do, one read after the other, from a message with its address until the message 'stop'. It then reports the times.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Read } from './measure.ts'

const agent = new Agent({ keepAlive: true })
const pauseMs = 10
/** An address changes before its budget of balances is used up. */
const readsOfAddress = 150
let isStopped = true
let reads = 0

process.on('message', (word: { readonly url: string } | 'stop') => {
  isStopped = word === 'stop'
  if (word !== 'stop') void read(word.url)
})

async function read(url: string): Promise<void> {
  const found: Read = { pages: [], node: [], others: 0 }
  for (let place = 1; !isStopped; place += 1) {
    // Another wallet each time: no balance is answered from memory.
    const wallet = `0x${(Date.now() * 1_000 + place).toString(16).padStart(40, '0')}`
    await time(found.pages, `${url}/assets.json?sort=volumeDesc&page=${1 + (place % 2)}&pageSize=10`)
    await time(found.node, `${url}/api/wallets/${wallet}/balance`)
    await sleep(pauseMs)
  }
  process.send?.(found)

  async function time(times: number[], address: string): Promise<void> {
    const startMs = performance.now()
    reads += 1
    const headers = { 'x-forwarded-for': `172.16.${Math.floor(reads / readsOfAddress) % 250}.1` }
    const status = await new Promise<number>((done) => {
      get(address, { agent, headers }, (answer) => answer.resume().once('end', () => done(answer.statusCode ?? 0))).once(
        'error',
        () => done(0),
      )
    })
    times.push(performance.now() - startMs)
    if (status !== 200) found.others += 1
  }
}
