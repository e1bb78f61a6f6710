// `npm run deploy-boost -- <network>`: tries to deploy the boost contract of a network, and with --send does it and records where.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf, parseAddress } from '@chainboard/core'
import { BaseError, formatUnits, isHex, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type BoostNetwork, planBoost, sendBoost } from '../contracts/deployBoost.ts'
import { DeploymentError } from '../contracts/deploymentError.ts'
import { formatBoost, recordBoost } from '../contracts/recordBoost.ts'
import { WrongOption } from './wrongOption.ts'

const { BOOST_DEPLOYER_KEY: deployerKey = '', NETWORKS_DIR: networksDir, RPC_URL: ownRpcUrl } = process.env

const usage = `npm run deploy-boost -- <network> [--price dollars] [--owner address] [--send]
  <network>  a file of networks/, without .json
  --price    US dollars per boost (default: 25)
  --owner    the contract's owner (default: the deploying account)
  --send     sends the transaction and writes the address into the network file. Without it, nothing is sent
Environment
  BOOST_DEPLOYER_KEY  private key of the deploying account
  RPC_URL             a node to use instead of the network file's first
  NETWORKS_DIR        a folder to use instead of networks/`

/** Of the contract, in millionths of a US dollar. */
const priceMax = 100_000_000_000n

type NetworkText = BoostNetwork & { readonly chain: { readonly rpcUrls: readonly [string] }; readonly boost?: unknown }

try {
  await deploy()
} catch (error) {
  console.error(error instanceof BaseError ? error.shortMessage : messageOf(error))
  process.exitCode = 1
}

async function deploy(): Promise<void> {
  const { path, price, owner: wantedOwner, send } = parseOptions()
  const account = readAccount()
  const text = readFileSync(path, 'utf8')
  const network: unknown = JSON.parse(text)
  if (!isNetworkText(network)) throw new DeploymentError(`${path}: expected a chain with a node, and USDC: try npm run doctor`)
  const rpcUrl = ownRpcUrl || network.chain.rpcUrls[0]
  if (network.boost && send)
    throw new DeploymentError(`${path} already has a boost contract: remove "boost" from it to deploy another`)
  const owner = wantedOwner ?? parseAddress(account.address) ?? account.address
  const plan = await planBoost(network, { rpcUrl, from: account.address, owner, price })
  const { symbol, decimals } = network.chain.nativeCurrency
  console.log(
    [
      `Chain      ${network.chain.name}, ${network.chain.id}`,
      `From       ${account.address}, ${formatUnits(plan.balance, decimals)} ${symbol}`,
      `Owner      ${plan.owner}`,
      `Price      ${formatUnits(plan.price, 6)} US dollars, paid in ${network.usdc.address}`,
      `Gas        ${plan.gas}, about ${formatUnits(plan.cost, decimals)} ${symbol}`,
    ].join('\n'),
  )
  if (!send) return console.log(`Nothing was sent. --send deploys the contract at ${plan.address}.`)
  const sent = await sendBoost(network, { rpcUrl, account, plan, onSent: (hash) => console.log(`Sent       ${hash}`) })
  const record = { address: sent.address, startBlock: Number(sent.startBlock) }
  console.log(`Deployed   ${record.address} in block ${record.startBlock}\n${formatBoost(record)}`)
  writeFileSync(path, recordBoost(text, record))
  console.log(`Recorded in ${path}`)
}

function isNetworkText(value: unknown): value is NetworkText {
  if (!hasFields(value, 'chain', 'usdc')) return false
  const { chain, usdc } = value
  if (!hasFields(chain, 'id', 'name', 'rpcUrls', 'nativeCurrency') || !hasFields(usdc, 'address', 'decimals')) return false
  const { rpcUrls, nativeCurrency } = chain
  return (
    Array.isArray(rpcUrls) &&
    typeof rpcUrls[0] === 'string' &&
    hasFields(nativeCurrency, 'symbol', 'decimals') &&
    isHex(usdc.address)
  )
}

function hasFields<K extends string>(value: unknown, ...names: readonly K[]): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function parseOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { price: { type: 'string', default: '25' }, owner: { type: 'string' }, send: { type: 'boolean', default: false } },
  })
  const [name = ''] = positionals
  if (positionals.length !== 1 || !/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new WrongOption(usage)
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(values.price))
    throw new WrongOption(`--price: found ${values.price}, expected dollars such as 25 or 0.5`)
  const price = parseUnits(values.price, 6)
  if (price === 0n || price > priceMax)
    throw new WrongOption(`--price: found ${values.price}, expected more than 0 and at most 100000`)
  const owner = values.owner === undefined ? undefined : parseAddress(values.owner)
  if (values.owner !== undefined && !owner) throw new WrongOption(`--owner: found ${values.owner}, expected an address`)
  const folder = networksDir || resolve(import.meta.dirname, '..', 'networks')
  return { path: join(folder, `${name}.json`), price, owner, send: values.send }
}

/** The key is told to nobody, in no message either. */
function readAccount() {
  if (!isHex(deployerKey) || !/^0x[0-9a-fA-F]{64}$/.test(deployerKey))
    throw new WrongOption(`BOOST_DEPLOYER_KEY: expected 0x and 64 hexadecimal digits\n${usage}`)
  return privateKeyToAccount(deployerKey)
}
