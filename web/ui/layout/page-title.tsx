import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { markDirectionControls } from '../format/direction-controls.ts'
import { Name } from '../format/name.tsx'

interface PageTitleProps {
  children: string
  /** The title of the browser tab, if it differs from the page's. */
  tabTitle?: string
}

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children, tabTitle = children }: PageTitleProps) {
  useDocumentTitle(`${markDirectionControls(tabTitle)} · Hansard`)
  return (
    <Title order={1}>
      <Name>{children}</Name>
    </Title>
  )
}
