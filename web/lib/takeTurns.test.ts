import { expect, test } from 'vitest'
import { createTurns } from './takeTurns.ts'

const never = new AbortController().signal

/** Tasks that end when told to, and what has happened to them. */
function createTasks() {
  const log: string[] = []
  const enders = new Map<string, (failure?: Error) => void>()
  const task = (name: string) => () => {
    log.push(`${name} begins`)
    return new Promise<string>((resolve, reject) => {
      enders.set(name, (failure) => (failure ? reject(failure) : resolve(name)))
    })
  }
  return { log, task, end: (name: string, failure?: Error) => enders.get(name)?.(failure) }
}

/** Whatever can go on without an answer has gone on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('two at a time, the third when one of them is done, in the order they came', async () => {
  const takeTurn = createTurns(2)
  const { log, task, end } = createTasks()
  const all = ['a', 'b', 'c', 'd'].map((name) => takeTurn(task(name), never))
  await settle()
  expect(log).toEqual(['a begins', 'b begins'])
  end('b')
  await settle()
  expect(log).toEqual(['a begins', 'b begins', 'c begins'])
  end('a')
  end('c')
  await settle()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('one that fails makes room, and its caller hears of it', async () => {
  const takeTurn = createTurns(1)
  const { log, task, end } = createTasks()
  const first = takeTurn(task('a'), never)
  const second = takeTurn(task('b'), never)
  await settle()
  end('a', new Error('unreadable'))
  await expect(first).rejects.toThrow('unreadable')
  await settle()
  end('b')
  expect(await second).toBe('b')
  expect(log).toEqual(['a begins', 'b begins'])
})

test('one whose caller has given up in the meantime is not begun', async () => {
  const takeTurn = createTurns(1)
  const { log, task, end } = createTasks()
  const first = takeTurn(task('a'), never)
  const caller = new AbortController()
  const second = takeTurn(task('b'), caller.signal)
  const third = takeTurn(task('c'), never)
  caller.abort()
  await settle()
  end('a')
  await first
  await expect(second).rejects.toThrow()
  await settle()
  end('c')
  expect(await third).toBe('c')
  expect(log).toEqual(['a begins', 'c begins'])
})
