import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from '../layout/page-title.tsx'

interface NotFoundNoticeProps {
  /** What was not found, for the page title: "Meeting". */
  what: string
  /** The link to the list where people look for it next. */
  children: ReactNode
}

/** Replaces the content of a page whose meeting, task or run does not exist or is hidden from this user. */
export function NotFoundNotice({ what, children }: NotFoundNoticeProps) {
  return (
    <Stack gap="md" align="flex-start">
      <PageTitle>{`${what} not found`}</PageTitle>
      <NotFoundText what={what} />
      {children}
    </Stack>
  )
}

/** For pages that have another title, for example the name of a file. */
export function NotFoundText({ what }: { what: string }) {
  return (
    <Text role="alert">
      This {what.toLowerCase()} doesn’t exist, was deleted, or you don’t have access to it.
    </Text>
  )
}
