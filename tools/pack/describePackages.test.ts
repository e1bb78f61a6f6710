import { describe, expect, it } from 'vitest'
import { toBillOfMaterials, toNotices } from './describePackages.ts'

const product = { name: 'board', version: '1.2.3', license: 'MIT' }
const packages = [
  // The digest is SHA-512 of nothing.
  {
    name: '@scope/part',
    version: '4.5.6',
    license: '(MIT OR Apache-2.0)',
    integrity: 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    text: 'Do as you like.',
  },
  { name: 'plain', version: '1.0.0', license: undefined, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', text: undefined },
]

describe('toBillOfMaterials', () => {
  it('names each part with its version, licence and digest, in CycloneDX', () => {
    const bill = JSON.parse(toBillOfMaterials(product, packages))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
    expect(bill.metadata.component).toMatchObject({ type: 'application', name: 'board', version: '1.2.3' })
    expect(bill.components).toEqual([
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40scope/part@4.5.6',
        name: '@scope/part',
        version: '4.5.6',
        purl: 'pkg:npm/%40scope/part@4.5.6',
        hashes: [
          {
            alg: 'SHA-512',
            content:
              'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
          },
        ],
        licenses: [{ expression: '(MIT OR Apache-2.0)' }],
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/plain@1.0.0',
        name: 'plain',
        version: '1.0.0',
        purl: 'pkg:npm/plain@1.0.0',
        hashes: [{ alg: 'SHA-1', content: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
      },
    ])
  })

  it('is the same for the same packages', () => {
    expect(toBillOfMaterials(product, packages)).toBe(toBillOfMaterials(product, packages))
  })
})

describe('toNotices', () => {
  it('has the words of every licence', () => {
    const notices = toNotices(product, packages)
    expect(notices).toContain('@scope/part 4.5.6\nLicence: (MIT OR Apache-2.0)\n\nDo as you like.')
    expect(notices).toContain('plain 1.0.0\nLicence: see below')
  })
})
