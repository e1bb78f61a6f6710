import type { Address } from '@chainboard/core'
import {
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  formatUnits,
  getAddress,
  getContractAddress,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
} from 'viem'
import { DeploymentError } from './deploymentError.ts'
import { readTokenBoost } from './index.ts'

/** What a network file says that a deployment needs. */
export type BoostNetwork = {
  readonly chain: {
    readonly id: number
    readonly name: string
    readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  }
  readonly usdc: { readonly address: Address; readonly decimals: number }
}

/** A deployment that the chain would accept. Amounts of the native coin are in its smallest unit. */
export type BoostPlan = {
  readonly owner: Address
  /** Millionths of a US dollar. */
  readonly price: bigint
  readonly data: Hex
  readonly gas: bigint
  readonly cost: bigint
  readonly balance: bigint
  /** Where the contract will stand, if the account sends nothing else before. */
  readonly address: Address
}

const receiptMsMax = 300_000
const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function owner() view returns (address)',
  'function boostPrice() view returns (uint256)',
  'function boostDuration() view returns (uint256)',
  'function isPaymentTokenAllowed(address paymentToken) view returns (bool)',
])

function toChain({ chain }: BoostNetwork, rpcUrl: string) {
  return defineChain({ ...chain, rpcUrls: { default: { http: [rpcUrl] } } })
}

/**
 * Looks at the chain and tries the deployment without sending it.
 * @throws DeploymentError that says what is wrong: another chain, another USDC, too few coins, a refusal of the node
 */
export async function planBoost(
  network: BoostNetwork,
  { rpcUrl, from, owner, price }: { rpcUrl: string; from: Address; owner: Address; price: bigint },
): Promise<BoostPlan> {
  const client = createPublicClient({ chain: toChain(network, rpcUrl), transport: http(rpcUrl) })
  const id = await client.getChainId()
  if (id !== network.chain.id) throw new DeploymentError(`The node is on chain ${id}, the network file says ${network.chain.id}`)
  await checkUsdc(client, network)
  const { abi: contractAbi, bytecode } = readTokenBoost()
  const data = encodeDeployData({ abi: contractAbi, bytecode, args: [owner, network.usdc.address, price] })
  const [gas, gasPrice, balance, nonce] = await Promise.all([
    client.estimateGas({ account: from, data }),
    client.getGasPrice(),
    client.getBalance({ address: from }),
    client.getTransactionCount({ address: from }),
  ])
  const address = getContractAddress({ from, nonce: BigInt(nonce) })
  return { owner, price, data, gas, cost: gas * gasPrice, balance, address }
}

async function checkUsdc(client: PublicClient, { usdc }: BoostNetwork): Promise<void> {
  const decimals = await client.readContract({ address: usdc.address, abi, functionName: 'decimals' }).catch(() => undefined)
  if (decimals === usdc.decimals) return
  const found = decimals === undefined ? 'does not report its decimals' : `has ${decimals} decimals`
  throw new DeploymentError(`USDC at ${usdc.address} ${found}, the network file says ${usdc.decimals}`)
}

/**
 * Sends a planned deployment, waits for it and reads the contract back.
 * @throws DeploymentError when it was not mined, failed, or is not what was planned
 */
export async function sendBoost(
  network: BoostNetwork,
  { rpcUrl, account, plan, onSent }: { rpcUrl: string; account: Account; plan: BoostPlan; onSent: (hash: Hex) => void },
): Promise<{ readonly address: Address; readonly startBlock: bigint }> {
  if (plan.balance < plan.cost) {
    const { decimals, symbol } = network.chain.nativeCurrency
    const [has, needs] = [plan.balance, plan.cost].map((amount) => formatUnits(amount, decimals))
    throw new DeploymentError(`${account.address} has ${has} ${symbol}, the deployment costs about ${needs} ${symbol}`)
  }
  const chain = toChain(network, rpcUrl)
  const transport = http(rpcUrl)
  const client = createPublicClient({ chain, transport, pollingInterval: 500 })
  const hash = await createWalletClient({ account, chain, transport }).sendTransaction({ data: plan.data })
  onSent(hash)
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: receiptMsMax })
  if (receipt.status !== 'success' || !receipt.contractAddress) throw new DeploymentError(`The transaction ${hash} failed`)
  // With its checksum, whatever the node writes: whoever copies it from the network file is told of a wrong digit.
  const address = getAddress(receipt.contractAddress)
  await checkDeployed(client, address, { plan, usdc: network.usdc.address })
  return { address, startBlock: receipt.blockNumber }
}

async function checkDeployed(client: PublicClient, address: Address, wanted: { plan: BoostPlan; usdc: Address }): Promise<void> {
  const contract = { address, abi } as const
  const [owner, price, duration, takesUsdc] = await Promise.all([
    client.readContract({ ...contract, functionName: 'owner' }),
    client.readContract({ ...contract, functionName: 'boostPrice' }),
    client.readContract({ ...contract, functionName: 'boostDuration' }),
    client.readContract({ ...contract, functionName: 'isPaymentTokenAllowed', args: [wanted.usdc] }),
  ])
  const isAsPlanned =
    owner.toLowerCase() === wanted.plan.owner.toLowerCase() && price === wanted.plan.price && duration === 86_400n && takesUsdc
  if (!isAsPlanned)
    throw new DeploymentError(`${address} is not what was planned: owner ${owner}, price ${price}, ${duration} s a boost`)
}
