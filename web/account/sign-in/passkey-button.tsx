import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { cacheSignInResult, useApi } from '../../api/app-state.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { signWithPasskey } from '../passkey-browser.ts'

export function PasskeyButton() {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async () => {
    const { options } = await api.signIn.passkeyOptions()
    const response = await signWithPasskey(options)
    cacheSignInResult(queries, await api.signIn.passkey({ response }))
  })
  return (
    <Stack gap="sm">
      <Button variant="default" loading={action.isRunning} onClick={() => void action.run()}>
        Sign in with a passkey
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}
