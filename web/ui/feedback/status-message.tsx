import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckIcon } from '../icons.tsx'

/** Always in the page, so that screen readers hear the text when it comes. */
export function StatusMessage({ children }: { children: ReactNode }) {
  return (
    <Group role="status" gap={6} c="var(--mantine-color-anchor)">
      {children && (
        <>
          <CheckIcon />
          <Text size="sm">{children}</Text>
        </>
      )}
    </Group>
  )
}
