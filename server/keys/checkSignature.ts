import { createHash } from 'node:crypto'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  isErc6492Signature,
  parseAbi,
  toHex,
  verifyMessage,
} from 'viem'
import type { Chain } from '../chain/chain.ts'
import { isRevert } from '../chain/isRevert.ts'
import type { Claim } from './judgeMessage.ts'
import { within } from './within.ts'

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** What a contract answers for a signature that it stands for (EIP-1271). */
const magic = '0x1626ba7e'
const rememberedMax = 1_000
/** A contract may change its mind. */
const contractMs = 60_000
/** Enough for passkeys and many owners, and far too little to keep a node busy. A wallet that is not deployed is deployed in the call. */
const gasMax = { deployed: 1_000_000, undeployed: 5_000_000 }
/** Whoever signs does not wait longer for a contract. */
const timeoutMs = 6_000
const retryAfterSeconds = 5

/** @throws Failure `signature-invalid`; `rpc-unavailable` when only the chain could tell and it does not answer */
export type CheckSignature = (claim: Claim) => Promise<void>

/**
 * Whether a wallet has signed: a key's own signature is worked out here, a contract wallet's is asked of the contract. What was
 * right is remembered, by its hash: a panel that asks every 30 seconds costs neither.
 */
export function createSignatureCheck(chain: Pick<Chain, 'forward'>): CheckSignature {
  const right = new LRUCache<string, true>({ max: rememberedMax })
  return async ({ wallet, message, signature }) => {
    const name = createHash('sha256').update(`${wallet} ${signature} ${message}`).digest('hex')
    if (right.has(name)) return
    if (await isSignedByKey(wallet, message, signature)) return void right.set(name, true)
    if (!(await isSignedByContract(chain, wallet, message, signature)))
      throw new Failure('signature-invalid', 'The signature does not match this wallet and message')
    right.set(name, true, { ttl: contractMs })
  }
}

async function isSignedByKey(address: Address, message: string, signature: Hex): Promise<boolean> {
  try {
    return await verifyMessage({ address, message, signature })
  } catch {
    // No signature of a key at all.
    return false
  }
}

async function isSignedByContract(
  chain: Pick<Chain, 'forward'>,
  wallet: Address,
  message: string,
  signature: Hex,
): Promise<boolean> {
  const { call, isRight } = isErc6492Signature(signature)
    ? toUndeployedQuestion(wallet, message, signature)
    : toContractQuestion(wallet, message, signature)
  try {
    return isRight(await within(timeoutMs, chain.forward('eth_call', [call, 'latest'])))
  } catch (cause) {
    if (isRevert(cause)) return false
    if (!(cause instanceof Failure)) throw cause
    throw new Failure(
      'rpc-unavailable',
      'The signature is not from a plain wallet, and the node is not responding, so a contract wallet cannot be checked. Try again in a moment',
      { retryable: true, cause, detail: { retryAfterSeconds } },
    )
  }
}

/** A call of the node, and what its answer means. */
type Question = { readonly call: object; readonly isRight: (answer: unknown) => boolean }

function toContractQuestion(wallet: Address, message: string, signature: Hex): Question {
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hashMessage(message), signature] })
  return {
    call: { to: wallet, data, gas: toHex(gasMax.deployed) },
    // Where no contract stands the answer is empty.
    isRight: (answer) => typeof answer === 'string' && answer.length >= 66 && answer.slice(0, 10).toLowerCase() === magic,
  }
}

/**
 * Of a wallet that has an address and no code yet (ERC-6492): its signature names the factory that would deploy it. The validator of the
 * ERC runs as the code of a contract's creation: it has the factory deploy the wallet, asks the wallet, and all of it is gone after the call.
 */
function toUndeployedQuestion(wallet: Address, message: string, signature: Hex): Question {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hashMessage(message), signature],
  })
  return { call: { data, gas: toHex(gasMax.undeployed) }, isRight: (answer) => answer === '0x01' }
}
