import { Group, Loader, Text } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'

/** Shows nothing for the first 200 ms, so that fast responses do not flicker. */
export function LoadingIndicator({ label }: { label: string }) {
  const [isShown, setShown] = useState(false)
  useTimeout(() => setShown(true), 200, { autoInvoke: true })
  return (
    <Group role="status" gap="sm" mih={40} data-waiting>
      {isShown && (
        <>
          <Loader size="sm" aria-hidden />
          <Text c="dimmed">{label}…</Text>
        </>
      )}
    </Group>
  )
}
