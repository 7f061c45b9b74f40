import { Button, Stack } from '@mantine/core'
import { useApi } from '../../api/app-state.tsx'
import type { ApiClient } from '../../api/client.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms/form.tsx'

interface ProviderButtonProps {
  /** Starts the sign-in or the linking. */
  start: (api: ApiClient) => Promise<{ url: string }>
  variant: 'filled' | 'default'
  children: string
}

/** Leaves the console for the sign-in provider's page. */
export function ProviderButton({ start, variant, children }: ProviderButtonProps) {
  const api = useApi()
  const action = useAction(async () => {
    const { url } = await start(api)
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
