import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

// An authenticator in software: makes passkeys (ES256, no attestation) and answers with them, as a browser hands that on. It does whatever
// the test tells it, also what no authenticator should.

type Lie = {
  readonly origin?: string
  readonly rpId?: string
  /** Whether it verified its user. */
  readonly verified?: boolean
  readonly count?: number
  /** Instead of the one that it was asked with. */
  readonly challenge?: string
  readonly type?: string
  readonly userHandle?: string
  /** CBOR of the two fields of an attestation that was not asked for: `fmt` and `attStmt`. */
  readonly attestation?: Buffer
}

/** `"fmt": "none", "attStmt": {}` */
const noAttestation = Buffer.from('63666d74646e6f6e656761747453746d74a0', 'hex')

type Creation = { readonly challenge: string; readonly rp: { readonly id: string }; readonly user: { readonly id: string } }
type Request = { readonly challenge: string; readonly rpId: string }

const toBase64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

export type SoftPasskey = ReturnType<typeof createSoftPasskey>

/** One passkey; others of it, with the same key and id, are copies of the authenticator. */
export function createSoftPasskey(origin: string, id: Buffer = randomBytes(16)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let owner = ''
  const dataOf = (rpId: string, { verified = true, count = 0, ...lie }: Lie, attested = Buffer.alloc(0)) => {
    const set = flags.present | (verified ? flags.verified : 0) | (attested.length > 0 ? flags.attested : 0)
    const counted = Buffer.alloc(5)
    counted.writeUInt8(set, 0)
    counted.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(lie.rpId ?? rpId), counted, attested])
  }
  const clientData = (type: string, challenge: string, lie: Lie) =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: false,
      }),
    )
  return {
    id: toBase64url(id),
    create(options: Creation, lie: Lie = {}) {
      owner = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, toCose(publicKey)])
      const authData = dataOf(options.rp.id, lie, attested)
      const size = Buffer.alloc(2)
      size.writeUInt16BE(authData.length)
      // A map of three: what is attested, and "authData": bytes.
      const attestation = Buffer.concat([
        Buffer.from('a3', 'hex'),
        lie.attestation ?? noAttestation,
        Buffer.from('68617574684461746159', 'hex'),
        size,
        authData,
      ])
      return {
        id: toBase64url(id),
        rawId: toBase64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: toBase64url(clientData('webauthn.create', options.challenge, lie)),
          attestationObject: toBase64url(attestation),
          transports: ['internal', 'hybrid'],
        },
        clientExtensionResults: {},
      }
    },
    get(options: Request, lie: Lie = {}) {
      const told = clientData('webauthn.get', options.challenge, lie)
      const authData = dataOf(options.rpId, lie)
      const signature = sign('sha256', Buffer.concat([authData, sha256(told)]), privateKey)
      return {
        id: toBase64url(id),
        rawId: toBase64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: toBase64url(told),
          authenticatorData: toBase64url(authData),
          signature: toBase64url(signature),
          userHandle: lie.userHandle ?? owner,
        },
        clientExtensionResults: {},
      }
    },
  }
}

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR. */
function toCose(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
