import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { WireSignedIn } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi } from '../../api/app-state.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { signWithPasskey } from '../passkey-browser.ts'

type Options = { options: PublicKeyCredentialRequestOptionsJSON }

export function PasskeyButton() {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async () => {
    const { options } = await api.post<Options>('/web/sign-in/passkey/options')
    const response = await signWithPasskey(options)
    cacheSignInResult(queries, await api.post<WireSignedIn>('/web/sign-in/passkey', { response }))
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
