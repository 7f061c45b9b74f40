import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'

/** The page's only h1, and with it the window's title. */
export function PageTitle({ children }: { children: string }) {
  useDocumentTitle(`${children} · Hansard`)
  return <Title order={1}>{children}</Title>
}
