// Asks one address every 10 ms after each answer, from a message with the address until the message 'stop'. It then reports the times. It
// runs as a process of its own, so that the load does not delay it.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked } from './measure.ts'

const agent = new Agent({ keepAlive: true })
let isStopped = true

process.on('message', (word: { readonly url: string } | 'stop') => {
  isStopped = word === 'stop'
  if (word !== 'stop') void ask(word.url)
})

async function ask(url: string): Promise<void> {
  const times: number[] = []
  let others = 0
  while (!isStopped) {
    const startMs = performance.now()
    const status = await new Promise<number>((done) => {
      get(url, { agent }, (answer) => answer.resume().once('end', () => done(answer.statusCode ?? 0))).once('error', () =>
        done(0),
      )
    })
    times.push(performance.now() - startMs)
    if (status !== 200) others += 1
    await sleep(10)
  }
  process.send?.({ times, others } satisfies Asked)
}
