import { expect } from '@playwright/test'
import { concatHex, encodeFunctionData, getCreate2Address, type Hex, pad, parseAbi, serializeErc6492Signature } from 'viem'
import type { BoostProduct } from './boostProduct.ts'
import { alice, type SmartAccount } from './testWallet.ts'

/** A wallet that says yes to every signature (EIP-1271), in 16 bytes of code. */
const walletCode: Hex = '0x631626ba7e60e01b60005260206000f3'
const creation = concatHex(['0x6f', walletCode, '0x60005260106010f3'])
/** Called with anything, it creates that wallet by CREATE2 with the salt 0. */
const factory = {
  address: '0x00000000000000000000000000000000000000b1',
  code: concatHex(['0x78', creation, '0x6000526000601960076000f500']),
} as const
const ether = '0xde0b6b3a7640000'
const usdcAbi = parseAbi(['function transfer(address to, uint256 amount)'])

/**
 * A smart wallet that is not deployed and has USDC: it signs as ERC-6492 has it, and is deployed with its first calls.
 * @param usdcRaw in millionths of a USDC
 */
export async function makeSmartAccount({ devnet, usdc, send }: BoostProduct, usdcRaw: bigint): Promise<SmartAccount> {
  const { rpc } = devnet
  // Sent while the one before is being mined, a transaction would get the number of that one.
  const mine = async (from: string, call: Parameters<typeof send>[1]) => {
    const hash = await send(from, call)
    await expect.poll(() => rpc('eth_getTransactionReceipt', [hash])).not.toBeNull()
    return hash
  }
  await rpc('anvil_setCode', [factory.address, factory.code])
  const address = getCreate2Address({ from: factory.address, salt: pad('0x0'), bytecode: creation })
  await rpc('anvil_setBalance', [address, ether])
  await send(alice, { to: usdc, data: encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [address, usdcRaw] }) })
  return {
    address,
    sign: () => serializeErc6492Signature({ address: factory.address, data: '0x01', signature: '0x1234' }),
    doTogether: async (calls) => {
      if ((await rpc('eth_getCode', [address, 'latest'])) === '0x') await mine(alice, { to: factory.address, data: '0x01' })
      // The chain's node lets the wallet send by itself what its own code would.
      await rpc('anvil_impersonateAccount', [address])
      let hash = ''
      for (const { to, data } of calls) hash = await mine(address, { to: to ?? '', data: data as Hex })
      await rpc('anvil_stopImpersonatingAccount', [address])
      return hash
    },
  }
}
