import { Stack, Text } from '@mantine/core'
import { CenteredCardPage } from './layout/signed-out-layout.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'

export function NotFoundPage() {
  return (
    <CenteredCardPage>
      <Stack>
        <PageTitle>Page not found</PageTitle>
        <Text>There is no page at this address. The link may be mistyped or out of date.</Text>
        <ButtonLink to="/">Go to the home page</ButtonLink>
      </Stack>
    </CenteredCardPage>
  )
}
