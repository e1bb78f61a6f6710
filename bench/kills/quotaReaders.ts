import { Agent, get } from 'node:http'
import { Type } from 'typebox'
import { operator, signProof } from '../../server/testing/signProof.ts'
import { CheckFailed } from '../checkFailed.ts'
import { checkShape } from '../checkShape.ts'
import { postJson } from './keyOwners.ts'

const clients = 8
/** Of each key's day: small, so that many days end, and kills come before, at and after the end. */
const requestsPerDay = 600
const pauseMs = 2
const madeKey = Type.Object({ key: Type.Object({ id: Type.String() }) })
/** Used-up keys to try again after each start. */
const spentAsked = 3

type Used = { readonly key: string; readonly day: string; answered: number; isSpent: boolean }

/** Clients that use up keys. */
export type QuotaReaders = {
  /** Asks for prices with one key from many clients until its day is over or the server is gone. */
  readUntilGone(url: string): Promise<void>
  /** Tries keys whose day is used up. */
  check(url: string): Promise<void>
  /** Keys that an operator made and whose creation was acknowledged. */
  acknowledged(): number
  answered(): number
  /** Answers that were more than a key's day has. */
  overAdmitted(): number
}

/** Clients that have no key yet. */
export function createQuotaReaders(): QuotaReaders {
  const used: Used[] = []
  const today = () => new Date().toISOString().slice(0, 10)

  const makeKey = async (url: string): Promise<Used | undefined> => {
    const proof = await signProof(operator, { siteName: 'Chainboard', purpose: 'Admin Login' })
    const form = { ...proof, email: 'dev@example.org', requestsPerDay }
    const answer = await postJson(`${url}/api/admin/keys`, form)
    if (!answer) return undefined
    if (answer.status !== 201) throw new CheckFailed(`an operator's key: ${JSON.stringify(answer)}`)
    const key = { key: checkShape(madeKey, answer.body, "an operator's key").key.id, day: today(), answered: 0, isSpent: false }
    used.push(key)
    return key
  }

  /** A day that ends meanwhile begins again: its answers are not counted. @returns the status, undefined without a whole answer */
  const ask = async (url: string, agent: Agent, of: Used): Promise<number | undefined> => {
    const status = await readStatus(url, agent, of.key)
    if (status === 200 && of.day === today()) of.answered += 1
    else if (status === 429) of.isSpent = true
    else if (status !== undefined && status !== 200) throw new CheckFailed(`prices with a key: ${status}`)
    return status
  }

  return {
    readUntilGone: async (url) => {
      const last = used.at(-1)
      const key = last && !last.isSpent && last.day === today() ? last : await makeKey(url)
      if (!key) return
      const agent = new Agent({ keepAlive: true, maxSockets: clients })
      const client = async () => {
        while ((await ask(url, agent, key)) === 200) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      await Promise.all(Array.from({ length: clients }, client))
      agent.destroy()
    },
    check: async (url) => {
      const agent = new Agent({ keepAlive: true })
      const spent = used.filter(({ isSpent, day }) => isSpent && day === today())
      for (const each of spent.slice(-spentAsked)) await ask(url, agent, each)
      agent.destroy()
    },
    acknowledged: () => used.length,
    answered: () => used.reduce((sum, { answered }) => sum + answered, 0),
    overAdmitted: () => used.reduce((sum, { answered }) => sum + Math.max(0, answered - requestsPerDay), 0),
  }
}

function readStatus(url: string, agent: Agent, key: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(`${url}/api/v1/prices`, { agent, headers: { 'x-api-key': key } }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode))
      answer.once('error', () => resolve(undefined))
    })
    request.once('error', () => resolve(undefined))
  })
}
