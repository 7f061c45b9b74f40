import { Stack, Text, type TextProps, Badge } from '@mantine/core'
import type { ReactNode } from 'react'

interface NoticeProps {
  title?: ReactNode
  isError?: boolean
  children?: ReactNode
}

/** A box with something that the reader should know, or should do something about. */
export function Notice({ title, isError = false, children }: NoticeProps) {
  return (
    <div className={isError ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        {title !== undefined && (
          <Text fw={650} className="break-anywhere" dir="auto">
            {title}
          </Text>
        )}
        <Text size="sm" component="div" className="break-anywhere">
          {children}
        </Text>
      </Stack>
    </div>
  )
}

/** The label alone carries the meaning. The colour is only an addition. */
export function StateBadge({ colour = '', children }: { colour?: string; children: ReactNode }) {
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {children}
    </Badge>
  )
}

/** Secondary text: small and soft. */
export function Hint({ children, ...text }: TextProps & { children: ReactNode }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="break-anywhere" {...text}>
      {children}
    </Text>
  )
}
