import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckIcon } from '../icons.tsx'

interface StatusMessageProps {
  children: ReactNode
  /** True if the message reports a failure. It then has no check mark. */
  isFailure?: boolean
}

/** Rendered even if empty, so that screen readers announce the text when it appears. */
export function StatusMessage({ children, isFailure = false }: StatusMessageProps) {
  return (
    <Group
      role="status"
      gap={6}
      wrap="nowrap"
      {...(!isFailure && { c: 'var(--mantine-color-anchor)' })}
    >
      {children && (
        <>
          {!isFailure && <CheckIcon />}
          <Text size="sm">{children}</Text>
        </>
      )}
    </Group>
  )
}
