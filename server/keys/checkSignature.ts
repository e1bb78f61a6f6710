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
  parseErc6492Signature,
  toHex,
  verifyMessage,
} from 'viem'
import type { Chain } from '../chain/chain.ts'
import { isRevert } from '../chain/isRevert.ts'
import type { Claim } from './judgeMessage.ts'
import { within } from './within.ts'

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** What a contract answers for a signature that it stands for (EIP-1271). */
const magic = `0x1626ba7e${'0'.repeat(56)}`
const rememberedMax = 1_000
/** A contract may change its mind. */
const contractMs = 60_000
/** Enough for passkeys and many owners, and far too little to keep a node busy. A wallet that is not deployed is deployed in the call. */
const gasMax = { deployed: 1_000_000, undeployed: 5_000_000 }
/** The longest that a signer waits for a contract. */
const timeoutMs = 6_000
const retryAfterSeconds = 5

/**
 * `mayBeUndeployed`: a contract wallet counts before it is deployed. It then belongs to anyone who can deploy at its address on this
 * chain, who need not be its owner on another one.
 */
type Rules = { readonly mayBeUndeployed: boolean }

/** @throws Failure `signature-invalid`; `rpc-unavailable` when only the chain could tell and it does not answer */
export type CheckSignature = (signed: Signed, rules: Rules) => Promise<void>

/** `wallet` in lower case. */
type Signed = Pick<Claim, 'wallet' | 'message' | 'signature'>

/**
 * Whether a wallet has signed: a key's own signature is worked out here, a contract wallet's is asked of the contract. What was
 * right is remembered, by its hash: a panel that asks every 30 seconds costs neither.
 */
export function createSignatureCheck(chain: Pick<Chain, 'forward'>): CheckSignature {
  const right = new LRUCache<string, true>({ max: rememberedMax })
  return async ({ wallet, message, signature }, rules) => {
    const name = createHash('sha256').update(`${wallet} ${rules.mayBeUndeployed} ${signature} ${message}`).digest('hex')
    if (right.has(name)) return
    if (await isSignedByKey(wallet, message, signature)) return void right.set(name, true)
    if (!(await isSignedByContract(chain, { wallet, message, signature }, rules)))
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

async function isSignedByContract(chain: Pick<Chain, 'forward'>, signed: Signed, rules: Rules): Promise<boolean> {
  const ask = (method: string, params: unknown) => within(timeoutMs, chain.forward(method, params))
  try {
    const question = await chooseQuestion(ask, signed, rules)
    if (!question) return false
    return question.isRight(await ask('eth_call', [question.call, 'latest']))
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
type Ask = (method: string, params: unknown) => Promise<unknown>

/** A wallet that is deployed is asked as it is, however it has signed: what a signature has called first could change its mind. */
async function chooseQuestion(ask: Ask, signed: Signed, { mayBeUndeployed }: Rules): Promise<Question | undefined> {
  if (!isErc6492Signature(signed.signature)) return toContractQuestion(signed)
  const isDeployed = (await ask('eth_getCode', [signed.wallet, 'latest'])) !== '0x'
  if (!isDeployed) return mayBeUndeployed ? toUndeployedQuestion(signed) : undefined
  const signature = readInner(signed.signature)
  return signature && toContractQuestion({ ...signed, signature })
}

/** @returns undefined for a signature that only ends like one of the ERC */
function readInner(signature: Hex): Hex | undefined {
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    return undefined
  }
}

function toContractQuestion({ wallet, message, signature }: Signed): Question {
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hashMessage(message), signature] })
  return {
    call: { to: wallet, data, gas: toHex(gasMax.deployed) },
    // Where no contract stands the answer is empty. The magic value is the function's selector, too: who only repeats what is asked says nothing.
    isRight: (answer) => typeof answer === 'string' && answer.slice(0, 66).toLowerCase() === magic,
  }
}

/**
 * Of a wallet that has an address and no code yet (ERC-6492): its signature names the factory that would deploy it. The validator of the
 * ERC runs as the code of a contract's creation: it has the factory deploy the wallet, asks the wallet, and all of it is gone after the call.
 */
function toUndeployedQuestion({ wallet, message, signature }: Signed): Question {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hashMessage(message), signature],
  })
  return { call: { data, gas: toHex(gasMax.undeployed) }, isRight: (answer) => answer === '0x01' }
}
