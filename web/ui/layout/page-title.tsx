import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'

interface PageTitleProps {
  children: string
  /** The title of the browser tab, if it is not that of the page. */
  tabTitle?: string
}

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children, tabTitle = children }: PageTitleProps) {
  useDocumentTitle(`${tabTitle} · Hansard`)
  return <Title order={1}>{children}</Title>
}
