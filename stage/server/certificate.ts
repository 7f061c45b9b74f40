import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type Certificate = {
  key: string
  cert: string
  /** The hash of the public key, for the Chromium option that trusts only this certificate. */
  fingerprint: string
}

const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  alternativeNames: [0x55, 0x1d, 0x11],
} as const
const DAY_MS = 86_400_000

/**
 * Creates a certificate for the hosts at each start, because a private key in the repository would be public and its
 * certificate would expire. It is encoded byte by byte, because Node can sign but cannot issue certificates.
 */
export function createCertificate(hosts: readonly string[], nowMs = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const name = sequence(set(sequence(oid(OID.commonName), text('rehearsal stage'))))
  const names = sequence(...hosts.map((host) => tagged(0x82, Buffer.from(host))))
  const content = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(nowMs - DAY_MS), time(nowMs + 365 * DAY_MS)),
    name,
    subjectKey,
    tagged(0xa3, sequence(sequence(oid(OID.alternativeNames), octets(names)))),
  )
  const cert = sequence(content, algorithm, bits(sign('sha256', content, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
    fingerprint: createHash('sha256').update(subjectKey).digest('base64'),
  }
}

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(body), body])
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
}

const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts)
const set = (...parts: Uint8Array[]) => tagged(0x31, ...parts)
const integer = (bytes: Uint8Array) => tagged(0x02, bytes)
const octets = (bytes: Uint8Array) => tagged(0x04, bytes)
const bits = (bytes: Uint8Array) => tagged(0x03, Buffer.of(0), bytes)
const oid = (bytes: readonly number[]) => tagged(0x06, Buffer.from(bytes))
const text = (value: string) => tagged(0x0c, Buffer.from(value))

/** The form with a two-digit year. X.509 requires it until 2050. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}
