import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../api/app-state.tsx'
import { useReload } from '../api/queries.ts'
import { CopyField } from '../ui/copy.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { ConfirmButton } from '../ui/forms/confirm-button.tsx'
import { useAction } from '../ui/forms/form.tsx'

/** The secret address of the signed-in user's digest feed. A new address exists only in the state of this component. */
export function DigestFeed({ createdAt }: { createdAt: string | null }) {
  const api = useApi()
  const reload = useReload('notifications')
  const [url, setUrl] = useState<string | null>(null)
  const create = async () => {
    setUrl((await api.notifications.feed({ timeZone: BROWSER_TIME_ZONE })).url)
    await reload()
  }
  const remove = async () => {
    await api.notifications.removeFeed()
    setUrl(null)
    await reload()
  }
  const first = useAction(create)
  if (createdAt === null)
    return (
      <Stack gap="md" align="flex-start">
        {first.error ? <ErrorBox error={first.error} /> : null}
        <Button variant="default" loading={first.isRunning} onClick={() => void first.run()}>
          Create address
        </Button>
      </Stack>
    )
  return (
    <Stack gap="md">
      {url === null ? (
        <Text size="sm">
          Address created <Time at={createdAt} show="minute" />. It is not shown again; replace it
          if you lost it.
        </Text>
      ) : (
        <>
          <Text size="sm">This address is shown only once. Add it to your feed reader now.</Text>
          <CopyField label="Address of your feed" value={url} what="address" hasAutofocus />
        </>
      )}
      <Group gap="xs" align="flex-start">
        <ConfirmButton
          label="Replace address"
          ariaLabel="Replace address of your feed"
          question="Feed readers with the old address stop getting your digest."
          confirmLabel="Replace"
          onConfirm={create}
        />
        <ConfirmButton
          label="Remove feed"
          ariaLabel="Remove feed"
          question="Feed readers stop getting your digest."
          confirmLabel="Remove"
          onConfirm={remove}
        />
      </Group>
    </Stack>
  )
}
