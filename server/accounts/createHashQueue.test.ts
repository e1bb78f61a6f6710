import { expect, it } from 'vitest'
import { createHashQueue } from './createHashQueue.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function createJobs() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      ends.set(name, () => resolve(name))
    })
  return { started, job, end: (name: string) => ends.get(name)?.() }
}

it('runs so many at once, in the order they came, and strangers leave a place free', async () => {
  const { started, job, end } = createJobs()
  const queue = createHashQueue({ slots: 2, strangerSlots: 1, waitingMax: 5 })
  const strangers = ['s1', 's2'].map((name) => queue.run('stranger', job(name)))
  const known = ['k1', 'k2'].map((name) => queue.run('known', job(name)))
  await settled()
  expect(started).toEqual(['s1', 'k1'])
  end('s1')
  await settled()
  // Whom something speaks for comes before a stranger who waits longer.
  expect(started).toEqual(['s1', 'k1', 'k2'])
  end('k1')
  await settled()
  expect(started).toEqual(['s1', 'k1', 'k2', 's2'])
  end('k2')
  end('s2')
  expect(await Promise.all([...strangers, ...known])).toEqual(['s1', 's2', 'k1', 'k2'])
})

it('sends away who comes when too many wait, and only those of that kind', async () => {
  const { started, job, end } = createJobs()
  const queue = createHashQueue({ slots: 2, strangerSlots: 1, waitingMax: 1 })
  const running = queue.run('stranger', job('s1'))
  const waiting = queue.run('stranger', job('s2'))
  await expect(queue.run('stranger', job('s3'))).rejects.toMatchObject({
    code: 'busy',
    message: 'Too many sign-ins at once; try again in a moment',
  })
  const known = queue.run('known', job('k1'))
  await settled()
  expect(started).toEqual(['s1', 'k1'])
  end('s1')
  await running
  await settled()
  end('s2')
  end('k1')
  await Promise.all([waiting, known])
})

it('gives the place on when a job fails', async () => {
  const queue = createHashQueue({ slots: 1, strangerSlots: 1, waitingMax: 1 })
  await expect(queue.run('known', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run('known', async () => 'yes')).toBe('yes')
})
