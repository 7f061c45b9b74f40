import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children }: { children: string }) {
  useDocumentTitle(`${children} · Hansard`)
  return <Title order={1}>{children}</Title>
}
