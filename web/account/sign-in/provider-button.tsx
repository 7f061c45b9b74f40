import { Button, Stack } from '@mantine/core'
import type { WireProviderPage } from '../../../src/http/shapes/sign-in-methods.ts'
import { useApi } from '../../api/app-state.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

interface ProviderButtonProps {
  /** The path that starts the sign-in or the linking. */
  path: '/web/sign-in/provider' | '/web/identities'
  body?: object
  variant: 'filled' | 'default'
  children: string
}

/** Leaves the console for the sign-in provider's page. */
export function ProviderButton({ path, body, variant, children }: ProviderButtonProps) {
  const api = useApi()
  const action = useAction(async () => {
    const { url } = await api.post<WireProviderPage>(path, body ?? {})
    window.location.assign(url)
    // The button stays in its loading state until the browser leaves this page.
    await new Promise(() => {})
  })
  return (
    <Stack gap="sm">
      <Button variant={variant} loading={action.isRunning} onClick={() => void action.run()}>
        {children}
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}
