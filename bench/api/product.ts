import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findFreePort } from '../../tools/freePort.ts'
import { forkServer } from '../../tools/serverProcess.ts'
import { adopt, type Child, makeFolder } from '../children.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { within } from '../waiting.ts'

export type Product = {
  readonly server: Child
  readonly url: string
  /** Makes API keys as an operator does. Up to 100: an operator makes no more in a minute. */
  makeKeys(count: number): Promise<string[]>
  /** Signs different logins of the operator. */
  signLogins(count: number): Promise<Login[]>
}

export type Login = { readonly walletAddress: string; readonly message: string; readonly signature: string }
type Operator = ReturnType<typeof privateKeyToAccount>

const startMsMax = 120_000
const requestsPerDay = 10_000_000

/** The server as `npm start` runs it, on an empty store, when it has caught up with the chain. */
export async function startProduct(
  rpcUrl: string,
  { signal, ...settings }: { readonly signal: AbortSignal; readonly [name: string]: string | AbortSignal },
): Promise<Product> {
  const operator = privateKeyToAccount(generatePrivateKey())
  const env = {
    ...{ NETWORK: 'devnet', RPC_URL: rpcUrl, DATA_DIR: makeFolder('product'), HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...{ PORT: String(await findFreePort()), ADMIN_WALLETS: operator.address },
    ...(settings as Record<string, string>),
  }
  const server = adopt('the server', forkServer(serverEnv(env)))
  const full = new Promise<string>((done) =>
    server.process.on('message', (message: { full?: string }) => message.full && done(message.full)),
  )
  const url = await within(full, { what: 'the server', msMax: startMsMax, signal, gone: server.gone })
  return {
    server,
    url,
    makeKeys: (count) => makeKeys(url, operator, count),
    signLogins: (count) => Promise.all(Array.from({ length: count }, (_, place) => signLogin(url, operator, place))),
  }
}

async function signLogin(url: string, operator: Operator, secondsAgo: number): Promise<Login> {
  const { siteName, domain } = (await (await fetch(`${url}/api/config`)).json()) as { siteName: string; domain: string }
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
    const { key, error } = (await answer.json()) as { key?: { id: string }; error?: string }
    if (!key) throw new Error(`No key could be made: ${error}`)
    keys.push(key.id)
  }
  return keys
}
