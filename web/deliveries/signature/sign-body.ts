const encoder = new TextEncoder()

/** The value of `X-Service-Signature`: `sha256=` and the HMAC of the raw body with the signing secret. */
export async function signBody(body: string, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(body))
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `sha256=${hex}`
}

/** The Web Crypto API exists only on https and localhost. */
export function isCryptoAvailable(): boolean {
  return globalThis.isSecureContext && globalThis.crypto?.subtle !== undefined
}
