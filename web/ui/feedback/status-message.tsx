import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckIcon } from '../icons.tsx'

/** Rendered even when empty, so that screen readers announce the text when it appears. */
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
