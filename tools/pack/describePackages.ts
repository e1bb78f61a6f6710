import type { Package } from './listPackages.ts'

/** What the archive is called and which version it is. */
export type Product = { readonly name: string; readonly version: string; readonly license: string }

/** The software bill of materials, in CycloneDX's format. The same packages give the same text: it has no date and no serial number. */
export function toBillOfMaterials({ name, version, license }: Product, packages: readonly Package[]): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version, licenses: toLicenses(license) } },
    components: packages.map((each) => ({
      type: 'library',
      'bom-ref': toUrl(each),
      name: each.name,
      version: each.version,
      purl: toUrl(each),
      hashes: [toHash(each.integrity)],
      ...(each.license === undefined ? {} : { licenses: toLicenses(each.license) }),
    })),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** An SPDX name alone is an id; several of them are an expression. */
function toLicenses(license: string) {
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }]
}

function toUrl({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** @param integrity the digest as npm writes it: its algorithm, a dash, base64 */
function toHash(integrity: string) {
  const [algorithm = '', base64 = ''] = integrity.split('-', 2)
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}

/** The licences of everything that the archive is made of, as their authors ask for. */
export function toNotices({ name }: Product, packages: readonly Package[]): string {
  const parts = packages.map(({ name: part, version, license, text }) =>
    [`${part} ${version}`, `Licence: ${license ?? 'see below'}`, ...(text === undefined ? [] : ['', text])].join('\n'),
  )
  return [`${name} contains the packages below, each under the licence of its authors.`, ...parts]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')
}
