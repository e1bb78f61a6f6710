import { expect, it } from 'vitest'
import { toTrieRoot } from './toTrieRoot.ts'

// Worked out with @ethereumjs/trie 6.2.1: value i is so many bytes of i modulo 251 plus 1, its key the RLP of i.
it.each([
  { values: 0, bytes: 0, root: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421' },
  { values: 1, bytes: 40, root: '0x3f77cb205bc45652fcbc26ae861f2948f44a8e6e403d2d9614178d8ef297aab7' },
  { values: 2, bytes: 40, root: '0xece7b985c854961c657ab5a672c4f178e139f845607e8ad6b38bbbc53f639a4d' },
  { values: 3, bytes: 4, root: '0x89de855bd65688ede809e67126c4f540e744ccaad387a1ba5b1c70fc043f087f' },
  { values: 17, bytes: 40, root: '0x4eeee0711bdd6701487db39388540c7f8a6187f5700493ab513f54911247d62d' },
  { values: 129, bytes: 40, root: '0xb3f5f7fa8c8992f8601897320b7b9c2ff8282df6c3d4fa6dd97dfcceebaecef0' },
  { values: 300, bytes: 70, root: '0x0e9ba53918f474bd2b31aa85ad3b09edc27823043e7aac83207274f5a2df9bf1' },
])('the root of $values values of $bytes bytes is $root', ({ values, bytes, root }) => {
  const list = Array.from(
    { length: values },
    (_, i) => `0x${((i % 251) + 1).toString(16).padStart(2, '0').repeat(bytes)}` as const,
  )
  expect(toTrieRoot(list)).toBe(root)
})
