import { messageOf } from '@chainboard/core'
import { NotPacked } from './notPacked.ts'

/** What an archive was made of and by what. */
export type Making = {
  /** The archive's file name, and its SHA-256 in hexadecimal. */
  readonly archive: { readonly name: string; readonly sha256: string }
  /** The commit, and files that differ from it or that it does not have. */
  readonly source: { readonly commit: string; readonly changed: readonly string[] }
  /** SHA-256 of package-lock.json, which names every package with its checksum. */
  readonly lockSha256: string
  /** Unix seconds of all files in the archive. */
  readonly madeAtSeconds: number
  readonly machine: string
  readonly nodeVersion: string
}

/**
 * The provenance statement: which source, packages and programs an archive comes from, in the words of SLSA 1.0. Nobody signs it. It says
 * how to make the archive again: the same source gives the same bytes, so that anybody can compare.
 */
export function toProvenance({ archive, source, lockSha256, madeAtSeconds, machine, nodeVersion }: Making): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: archive.name, digest: { sha256: archive.sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:chainboard:pack:1',
        externalParameters: {
          command: 'npm ci --ignore-scripts && npm run pack',
          SOURCE_DATE_EPOCH: madeAtSeconds,
          changedSinceCommit: source.changed,
        },
        internalParameters: { machine, node: nodeVersion },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: source.commit } },
          { name: 'package-lock.json', digest: { sha256: lockSha256 } },
        ],
      },
      runDetails: { builder: { id: 'urn:chainboard:checkout' } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

/** @param git runs git in the project's folder, and returns its lines. @throws NotPacked where there is no commit */
export function readSource(git: (...args: string[]) => string[]): Making['source'] {
  try {
    const [commit = ''] = git('rev-parse', 'HEAD')
    return { commit, changed: git('status', '--porcelain').map((line) => line.slice(3)) }
  } catch (cause) {
    throw new NotPacked(`An archive names the commit that it is made of, and git has none: ${messageOf(cause)}`, { cause })
  }
}
