import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { markDirectionControls } from '../format/direction-controls.ts'
import { Name } from '../format/name.tsx'

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children }: { children: string }) {
  useDocumentTitle(`${markDirectionControls(children)} · Hansard`)
  return (
    <Title order={1}>
      <Name>{children}</Name>
    </Title>
  )
}
