import { Button, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { isCryptoAvailable, signBody } from './sign-body.ts'

interface SignatureCheckProps {
  body?: string
  signature?: string
}

type CheckResult = { isRight: boolean; expected: string } | null

/** Checks a signature in the browser: the secret is sent nowhere and kept nowhere. */
export function SignatureCheck({ body = '', signature = '' }: SignatureCheckProps) {
  const [values, setValues] = useState({ secret: '', body, signature })
  const [verdict, setVerdict] = useState<CheckResult>(null)
  const action = useAction(async () => {
    const expected = await signBody(values.body, values.secret.trim())
    setVerdict({ isRight: expected === values.signature.trim().toLowerCase(), expected })
  })
  const set = (change: Partial<typeof values>) => {
    setValues((known) => ({ ...known, ...change }))
    setVerdict(null)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    void action.run()
  }
  if (!isCryptoAvailable()) {
    return (
      <Text role="alert">
        Browsers offer their cryptography only over https or on the machine itself. Open the console
        there, or check with the function in docs/receive-callbacks.md.
      </Text>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Signing secret"
          description="Begins with ss_. It stays in this page."
          value={values.secret}
          onChange={(event) => set({ secret: event.currentTarget.value })}
          autoComplete="off"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': 'Show what I typed' }}
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
          description="Byte for byte as it came, before any JSON reader touched it."
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
        {action.error ? <ErrorBox error={action.error} /> : null}
        <div role="status">{verdict && <Result verdict={verdict} />}</div>
      </Stack>
    </form>
  )
}

function Result({ verdict: { isRight, expected } }: { verdict: NonNullable<CheckResult> }) {
  if (isRight) return <Text fw={650}>The signature is right.</Text>
  return (
    <Stack gap={4}>
      <Text fw={650} c="var(--mantine-color-error)">
        The signature does not fit.
      </Text>
      <Text size="sm" className="break-anywhere">
        With this secret and body it would be {expected}. Either the secret belongs to another token
        or was rotated, or the body is not the raw one.
      </Text>
    </Stack>
  )
}
