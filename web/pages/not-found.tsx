import { Stack, Text } from '@mantine/core'
import { FrameBox } from '../ui/frame.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/page-title.tsx'

export function NotFoundPage() {
  return (
    <FrameBox>
      <Stack>
        <PageTitle>Page not found</PageTitle>
        <Text>Nothing lives at this address. It may have been mistyped.</Text>
        <ButtonLink to="/">Go home</ButtonLink>
      </Stack>
    </FrameBox>
  )
}
