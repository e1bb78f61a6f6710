import { routes } from '@chainboard/contract'
import { Type } from 'typebox'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findFreePort } from '../../tools/freePort.ts'
import { checkShape, fetchJson } from '../checkShape.ts'
import { type Child, makeFolder } from '../children.ts'
import { startServer } from '../startServer.ts'

/** The whole product, and its operator. */
export type Product = {
  readonly server: Child
  readonly url: string
  /** Makes API keys as an operator does. Up to 100: an operator may make no more in a minute. @throws NotMeasured when one is refused */
  makeKeys(count: number): Promise<string[]>
  /** Signs different logins of the operator. */
  signLogins(count: number): Promise<Login[]>
}

/** A signed message by which the operator logs in. */
export type Login = { readonly walletAddress: string; readonly message: string; readonly signature: string }
type Operator = ReturnType<typeof privateKeyToAccount>

const madeKey = Type.Object({ key: Type.Object({ id: Type.String() }) })
const requestsPerDay = 10_000_000

/** The server as `npm start` runs it, on an empty store, when it has caught up with the chain. @throws NotMeasured when it does not */
export async function startProduct(rpcUrl: string, env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Product> {
  const operator = privateKeyToAccount(generatePrivateKey())
  const own = { RPC_URL: rpcUrl, DATA_DIR: makeFolder('product'), PORT: String(await findFreePort()) }
  const { server, url } = await startServer({ ...own, ADMIN_WALLETS: operator.address, ...env }, { until: 'full', signal })
  return {
    server,
    url,
    makeKeys: (count) => makeKeys(url, operator, count),
    signLogins: (count) => Promise.all(Array.from({ length: count }, (_, place) => signLogin(url, operator, place))),
  }
}

async function signLogin(url: string, operator: Operator, secondsAgo: number): Promise<Login> {
  const { siteName, domain } = await fetchJson(routes.getConfig.schema.response[200], `${url}/api/config`)
  const message = [
    `${siteName} Admin Login`,
    `Domain: ${domain}`,
    `Wallet: ${operator.address}`,
    `Timestamp: ${new Date(Date.now() - secondsAgo * 1_000).toISOString()}`,
  ].join('\n')
  return { walletAddress: operator.address, message, signature: await operator.signMessage({ message }) }
}

async function makeKeys(url: string, operator: Operator, count: number): Promise<string[]> {
  const login = await signLogin(url, operator, 0)
  const keys: string[] = []
  for (let place = 0; place < count; place += 1) {
    const form = { ...login, email: `bench${place}@example.org`, tier: 'forever', requestsPerDay }
    const answer = await fetch(`${url}/api/admin/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    })
    keys.push(checkShape(madeKey, await answer.json(), 'The new key').key.id)
  }
  return keys
}
