import { Stack, Text } from '@mantine/core'
import { CenteredCard } from './layout/signed-out-layout.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'

export function NotFoundPage() {
  return (
    <CenteredCard>
      <Stack>
        <PageTitle>Page not found</PageTitle>
        <Text>Nothing lives at this address. It may have been mistyped.</Text>
        <ButtonLink to="/">Go home</ButtonLink>
      </Stack>
    </CenteredCard>
  )
}
