import { Text, Stack, PasswordInput, TextInput, Textarea, Button } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { Dialog } from '../ui/dialogs.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { useAction } from '../ui/forms.tsx'

/** The callback to check. Without it, the user pastes body and signature. */
interface SignatureCheckProps {
  body?: string
  signature?: string
}

type CheckResult = { isValid: boolean; expected: string } | null

/** Checks a signature in the browser. The secret is neither sent nor stored. */
export function SignatureCheck({ body = '', signature = '' }: SignatureCheckProps) {
  const [values, setValues] = useState({ secret: '', body, signature })
  const [result, setResult] = useState<CheckResult>(null)
  const action = useAction(async () => {
    const expected = await signBody(values.body, values.secret.trim())
    setResult({ isValid: expected === values.signature.trim().toLowerCase(), expected })
  })
  const set = (change: Partial<typeof values>) => {
    setValues((current) => ({ ...current, ...change }))
    setResult(null)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    void action.run()
  }
  if (!isCryptoAvailable()) {
    return (
      <Text role="alert">
        Browsers can check signatures only over https or on localhost. Open the console there, or
        use the function in docs/receive-callbacks.md.
      </Text>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Signing secret"
          description="Starts with ss_. It never leaves this page."
          value={values.secret}
          onChange={(event) => set({ secret: event.currentTarget.value })}
          autoComplete="off"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': 'Show characters' }}
        />
        <TextInput
          label="X-Service-Signature"
          value={values.signature}
          onChange={(event) => set({ signature: event.currentTarget.value })}
          spellCheck={false}
          classNames={{ input: 'secret-value' }}
        />
        <Textarea
          label="Raw body"
          description="Exactly as received, before JSON parsing."
          value={values.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
          rows={5}
          spellCheck={false}
          classNames={{ input: 'secret-value' }}
        />
        <div>
          <Button type="submit" loading={action.isRunning} disabled={values.secret.trim() === ''}>
            Check
          </Button>
        </div>
        <ErrorBox error={action.error} />
        <div role="status">{result && <Result result={result} />}</div>
      </Stack>
    </form>
  )
}

function Result({ result: { isValid, expected } }: { result: NonNullable<CheckResult> }) {
  if (isValid) return <Text fw={650}>Signature valid.</Text>
  return (
    <Stack gap={4}>
      <Text fw={650} c="var(--mantine-color-error)">
        Signature does not match.
      </Text>
      <Text size="sm" className="break-anywhere">
        Expected with this secret and body: {expected}. Check that the secret belongs to the right
        token and has not been rotated, and that the body is exactly as received.
      </Text>
    </Stack>
  )
}

const encoder = new TextEncoder()

/** The value of `X-Service-Signature`: `sha256=` and the HMAC of the raw body with the signing secret. */
async function signBody(body: string, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(body))
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `sha256=${hex}`
}

/** The Web Crypto API exists only on https and localhost. */
function isCryptoAvailable(): boolean {
  return globalThis.isSecureContext && globalThis.crypto?.subtle !== undefined
}

type SignatureDialogProps = SignatureCheckProps & { onClose: () => void }

export function SignatureCheckDialog({ onClose, ...callback }: SignatureDialogProps) {
  return (
    <Dialog title="Check signature" size="lg" onClose={onClose}>
      <SignatureCheck {...callback} />
    </Dialog>
  )
}
