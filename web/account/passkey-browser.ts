import { ApiError } from '../api/api-error.ts'
import type { PasskeysCreateBody, SignInPasskeyBody } from '../api/operations.generated.ts'

/** Options of WebAuthn, of which our API describes only the challenge. */
type Options = { challenge: string }

/** True if this browser supports passkeys with the JSON forms of WebAuthn, as all current browsers do. */
export function canUsePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

/** Lets the device create a passkey. The result goes to the service. */
export async function createPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  return toJson<PasskeysCreateBody['response']>(navigator.credentials.create({ publicKey }))
}

/** Lets the person choose a passkey and signs with it. The result goes to the service. */
export async function signWithPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return toJson<SignInPasskeyBody['response']>(navigator.credentials.get({ publicKey }))
}

/** Texts for the browser's errors, by their names. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey request was cancelled or took too long.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
}

async function toJson<Response>(answer: Promise<Credential | null>): Promise<Response> {
  try {
    const credential = await answer
    if (credential instanceof PublicKeyCredential) return credential.toJSON() as Response
    throw new DOMException('no passkey', 'NotAllowedError')
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    const text = ERROR_TEXTS[name]
    if (text === undefined) throw cause
    throw new ApiError(text, { status: 0, code: 'passkey_not_used', cause })
  }
}
