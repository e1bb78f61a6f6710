import { Failure, type Fields, type Hex, isFields } from '@chainboard/core'
import type { ChainLog, Header } from './chain.ts'

/** A log as a node gave it, checked. `timestampSeconds` is undefined where the node does not state its block's time. */
export type ParsedLog = Omit<ChainLog, 'timestampSeconds'> & { readonly timestampSeconds: number | undefined }

const quantity = /^0x[0-9a-f]{1,64}$/i
const address = /^0x[0-9a-f]{40}$/
const word = /^0x[0-9a-f]{64}$/
const bytes = /^0x([0-9a-f]{2})*$/
const bloom = /^0x[0-9a-f]{512}$/i
const topicsMax = 4
const shownMax = 80

/** A node's answer that cannot be true. Another node, or the same one a moment later, may do better. */
export function invalid(message: string, detail: Record<string, unknown> = {}): Failure {
  return new Failure('rpc-invalid', message, { retryable: true, detail })
}

/**
 * Runs what reads an answer and asks nobody: whatever it stumbles over is the answer's fault.
 * @throws Failure `rpc-invalid`
 */
export function readAnswer<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('rpc-invalid', `The node's ${what} cannot be read`, { retryable: true, cause: error })
  }
}

/** @throws Failure `rpc-invalid` for what is no number: a broken answer is not another chain */
export function parseChainId(answer: unknown): number {
  return readNumber({ chainId: answer }, 'chainId', 'answer')
}

/**
 * A block's header out of a node's answer.
 * @param asked the number that was asked for; absent for the newest block
 * @throws Failure `rpc-invalid` naming the field, what was found and what is wanted
 */
export function parseHeader(answer: unknown, asked?: number): Header {
  const fields = toFields(answer, 'block')
  const number = readNumber(fields, 'number', 'block')
  if (asked !== undefined && number !== asked)
    throw invalid(`The node returned block ${number} instead of block ${asked}`, { number, asked })
  const header = {
    number,
    hash: read(fields, 'hash', 'block', word, 'a hash of 32 bytes'),
    parentHash: read(fields, 'parentHash', 'block', word, 'a hash of 32 bytes'),
    timestampSeconds: readNumber(fields, 'timestamp', 'block'),
  }
  if (number > 0 && header.timestampSeconds === 0) throw invalid(`The node dates block ${number} at 0`, { number })
  // Chains that are not quite Ethereum leave it out or write something else: an alarm less, no failure.
  const { logsBloom } = fields
  return typeof logsBloom === 'string' && isHex(logsBloom, bloom) ? { ...header, logsBloom } : header
}

/**
 * One log out of a node's answer.
 * @throws Failure `rpc-invalid` naming the field, what was found and what is wanted; also for a log that the node calls removed
 */
export function parseLog(answer: unknown): ParsedLog {
  const fields = toFields(answer, 'log')
  const blockNumber = readNumber(fields, 'blockNumber', 'log')
  const logIndex = readNumber(fields, 'logIndex', 'log')
  if (fields['removed'] === true)
    throw invalid(`The node marks log ${logIndex} of block ${blockNumber} as removed, among logs of its chain`, {
      blockNumber,
      logIndex,
    })
  return {
    address: read(fields, 'address', 'log', address, 'an address'),
    topics: readTopics(fields['topics']),
    data: read(fields, 'data', 'log', bytes, 'whole bytes in hexadecimal'),
    blockNumber,
    blockHash: read(fields, 'blockHash', 'log', word, 'a hash of 32 bytes'),
    logIndex,
    txHash: read(fields, 'transactionHash', 'log', word, 'a hash of 32 bytes'),
    timestampSeconds: readTime(fields['blockTimestamp']),
  }
}

function isHex(text: string, shape: RegExp): text is Hex {
  return shape.test(text)
}

const isWord = (text: string): text is Hex => word.test(text)

function readTopics(value: unknown): Hex[] {
  const topics = Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'string' ? each.toLowerCase() : '')) : []
  if (!Array.isArray(value) || topics.length > topicsMax || !topics.every(isWord))
    throw wrongField('log', 'topics', value, `a list of at most ${topicsMax} words of 32 bytes`)
  return topics
}

/** Only newer nodes state it, and not all of them as a quantity: what is no time is no statement. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !quantity.test(value)) return undefined
  const seconds = Number(value)
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined
}

function toFields(answer: unknown, what: string): Fields {
  if (!isFields(answer)) throw invalid(`The node gave no ${what}: found ${show(answer)}, expected an object`)
  return answer
}

function read(fields: Fields, name: string, what: string, shape: RegExp, wanted: string): Hex {
  const value = fields[name]
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!isHex(text, shape)) throw wrongField(what, name, value, wanted)
  return text
}

function readNumber(fields: Fields, name: string, what: string): number {
  const number = Number(read(fields, name, what, quantity, 'a number in hexadecimal'))
  if (!Number.isSafeInteger(number)) throw wrongField(what, name, fields[name], 'a number below 2^53')
  return number
}

function wrongField(what: string, name: string, value: unknown, wanted: string): Failure {
  return invalid(`The node's ${what} has a wrong ${name}: found ${show(value)}, expected ${wanted}`, { field: name })
}

/** Short, and without what is inside of it: everybody may read the status that it ends up in. */
function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
