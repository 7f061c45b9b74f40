import { Box, Card, Container, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BrandLogoAndName } from './brand.tsx'
import { SkipLink } from './skip-link.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Layout of the pages for signed-out users: a single centered card. */
export function SignedOutLayout() {
  return (
    <CenteredCardPage>
      <Outlet />
    </CenteredCardPage>
  )
}

export function CenteredCardPage({ children }: { children: ReactNode }) {
  return (
    <Container size={460} py={{ base: 'lg', sm: 64 }}>
      <SkipLink />
      <Stack gap="lg">
        <header>
          <BrandLogoAndName />
        </header>
        <Card
          component="main"
          id="main"
          tabIndex={-1}
          withBorder
          shadow="xs"
          padding="xl"
          radius="lg"
        >
          {children}
        </Card>
        <Box component="footer" maw={220}>
          <ThemeSwitch />
        </Box>
      </Stack>
    </Container>
  )
}
